import { describe, expect, it } from 'vitest'
import { openBudget } from './budget.ts'
import { readDockerfile } from './dockerfile.ts'

const read = (text: string) => readDockerfile('Dockerfile', text, openBudget())

const cases: readonly [title: string, text: string, scripts: readonly string[] | undefined][] = [
  ['instructions', 'FROM python:3.12\nRUN a && b\ncopy . .\nrun c\n', ['a && b', 'c']],
  ['continued lines with comments', 'FROM x\nRUN a \\\n# no\n  b \\\n\n  c\nRUN d', ['a    b    c', 'd']],
  ['options', 'FROM --platform=x node:20\nRUN --mount=type=cache,target=/x --network=none a', ['a']],
  ['words', 'FROM x\nRUN ["a", "b c"]', ["'a' 'b c'"]],
  ['here-documents', 'FROM x\nRUN <<EOF\na\nb\nEOF\nRUN c', ['a\nb', 'c']],
  ['its last stage alone', 'FROM gcc AS build\nRUN a\nFROM debian\nCOPY --from=build /a /a\nRUN b', ['b']],
  ['what its last stage is built on', 'FROM node:20 AS deps\nRUN a\nFROM deps\nRUN b', ['a', 'b']],
  [
    'stages for tests and development',
    'FROM x AS base\nRUN a\nFROM x AS build\nRUN b\nFROM base AS test-unit\nRUN c\nFROM x AS latest\nRUN d\nFROM x\nRUN e',
    ['a', 'c', 'e'],
  ],
  ['a stage that an argument names', 'ARG S=a\nFROM x AS a\nRUN a\nFROM $S\nRUN b', ['a', 'b']],
  ['stages that are built on themselves', 'FROM a AS a\nRUN a\nFROM a AS a\nRUN b', ['a', 'b']],
  ['no image', 'RUN a', undefined],
]

describe('a Dockerfile', () => {
  for (const [title, text, scripts] of cases)
    it(`is read with ${title}`, () => expect(read(text)?.steps.map(({ script }) => script)).toEqual(scripts))

  it('gives its variables to its commands, and no version', () => {
    const job = read('ARG V=3.9\nFROM python:$V\nENV A 1\nARG B=$A-2\nARG P\nENV C="2 3"\nWORKDIR /w\nRUN a')
    expect(job?.versions).toEqual([])
    expect(job?.steps[0]).toMatchObject({
      env: { A: '1', B: '1-2', C: '2 3', P: '\uE000', V: '3.9' },
      folder: '\uE000',
    })
  })

  it('grows by no variable that doubles itself', () => {
    const values = Object.values(read(`FROM x\nENV A=xx\n${'ENV A=$A$A\n'.repeat(60)}RUN a`)!.steps[0]!.env)
    expect(values).toEqual(['\uE000\uE000'])
  })

  it('takes linear time', () => {
    const started = Date.now()
    const pieces = ['RUN a \\\n', 'ENV A=$A$A\n', 'RUN <<E\n', `\${a:-`, `ENV ${'a'.repeat(60_000)}`, '\\\n', ' ']
    for (const piece of [...pieces, 'ENV A=1 B=2\nRUN a\n', 'FROM a AS a\n', 'ENV A="', '--a=b '])
      read(`FROM x\nENV A=b\n${piece.repeat(64_000 / piece.length)}`)
    expect(Date.now() - started).toBeLessThan(3000)
  })
})
