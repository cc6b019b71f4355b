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

  it('takes linear time', () => {
    const started = Date.now()
    for (const piece of ['a:\n', 'A:=$(B)$(B)\nB:=$(A)$(A)\n', '$(', '\\\n', '\ta\n', 'a: b\nb: a\n', ' '])
      readMakefile(`${piece.repeat(64_000 / piece.length)}\ntest: a\n\t$(A)\n`).lines('test')
    expect(Date.now() - started).toBeLessThan(3000)
  })
})
