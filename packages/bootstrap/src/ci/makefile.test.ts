import { describe, expect, it } from 'vitest'
import { readMakefile } from './makefile.ts'

const text = [
  'PY ?= python3',
  'PYTEST := $(PY) -m pytest',
  'FLAGS = -q',
  'FLAGS += -x # fast',
  'LOOP = $(LOOP)',
  'SRC = $(shell find . -name "*.c")',
  '.PHONY: test, all',
  'all: build test',
  'build test:: deps',
  '\t@echo $@',
  'test: export X = 1',
  'test: | dirs',
  '\t-$(PYTEST) $(FLAGS) \\',
  `\t  tests $\${HOME} \${UNSET}`,
  'deps: ; pip install x',
  'cycle: cycle',
  '\tmake cycle',
  'src:',
  '\tcc $(SRC) $(LOOP)',
].join('\n')

const targets: readonly [target: string, lines: readonly string[]][] = [
  ['test', ['pip install x', 'echo \uE000', `python3 -m pytest -q -x  tests \${HOME} `]],
  ['deps', ['pip install x']],
  ['cycle', ['make cycle']],
  ['src', ['cc \uE000 \uE000']],
  ['missing', []],
]

describe('a Makefile', () => {
  for (const [target, lines] of targets)
    it(`runs for ${target}`, () =>
      expect(
        readMakefile(text)
          .lines(target)
          .map((line) => line.trim()),
      ).toEqual(lines.map((line) => line.trim())))

  it('says which target is its first', () => expect(readMakefile(text).first).toBe('all'))

  it('follows variables no deeper than a person writes', () => {
    const chain = Array.from({ length: 20_000 }, (_, at) => `A${at} = $(A${at + 1})\n`).join('')
    expect(readMakefile(`${chain}t:\n\t$(A0)\n\t$(A19990)\n`).lines('t')).toEqual(['\uE000', ''])
  })

  it('makes lines no longer and no more than a person writes', () => {
    const names = Array.from({ length: 5000 }, (_, at) => `t${at}`).join(' ')
    const made = readMakefile(`A = ${'x'.repeat(900)}\n${names}: ${names}\n${'\t$(A)$(A)$(A)$(A)$(A)\n'.repeat(3000)}`)
    const lines = made.lines('t0')
    expect(lines).toHaveLength(200)
    expect(lines[0]).toBe('\uE000')
    expect(made.lines('t0')).toBe(lines)
  })

  it('keeps a hash in a value', () => {
    expect(readMakefile('A = a#b c # d\nt:\n\techo $(A)').lines('t')).toEqual(['echo a#b c'])
  })

  it('takes linear time', () => {
    const started = Date.now()
    for (const piece of [
      'a:\n',
      'A:=$(B)$(B)\nB:=$(A)$(A)\n',
      '$(',
      '\\\n',
      '\ta\n',
      'a: b\nb: a\n',
      ' ',
      'A = \t',
      'A =  #',
      'a: ;',
    ])
      readMakefile(`${piece.repeat(64_000 / piece.length)}\ntest: a\n\t$(A)\n`).lines('test')
    readMakefile(`A = ${' '.repeat(64_000)}x`)
    expect(Date.now() - started).toBeLessThan(3000)
  })
})
