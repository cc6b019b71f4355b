import { describe, expect, it } from 'vitest'
import { readDevcontainer } from './devcontainer.ts'
import { readDockerfile } from './dockerfile.ts'

const shown = (text: string | undefined) => text?.replaceAll('\uE000', '…')

const dockerfiles: readonly [title: string, text: string, image: string | undefined, scripts: readonly string[]][] = [
  ['instructions', 'FROM python:3.12\nRUN a && b\ncopy . .\nrun c\n', 'python:3.12', ['a && b', 'c']],
  ['continued lines with comments', 'FROM x\nRUN a \\\n# no\n  b \\\n\n  c\nRUN d', 'x', ['a    b    c', 'd']],
  [
    'arguments',
    `ARG V=3.9\nFROM python:\${V}-slim AS base\nARG P\nENV A=1 B="2 3"\nRUN $A \${B}`,
    'python:3.9-slim',
    [`$A \${B}`],
  ],
  ['stages', 'FROM node:20 AS deps\nRUN a\nFROM deps\nRUN b', 'node:20', ['a', 'b']],
  ['options', 'FROM --platform=x node:20\nRUN --mount=type=cache,target=/x --network=none a', 'node:20', ['a']],
  ['words', 'FROM x\nRUN ["a", "b c"]', 'x', ["'a' 'b c'"]],
  ['here-documents', 'FROM x\nRUN <<EOF\na\nb\nEOF\nRUN c', 'x', ['a\nb', 'c']],
  ['unknown arguments', 'ARG V\nFROM python:$V', 'python:…', []],
  ['no image', 'RUN a', undefined, []],
]

describe('a Dockerfile', () => {
  for (const [title, text, image, scripts] of dockerfiles)
    it(`is read with ${title}`, () => {
      const job = readDockerfile('Dockerfile', text)
      expect(shown(job?.image)).toBe(image)
      expect(job?.steps.map(({ script }) => script) ?? []).toEqual(scripts)
    })

  it('gives its variables to its commands', () =>
    expect(readDockerfile('Dockerfile', 'FROM x\nENV A 1\nARG B=$A-2\nWORKDIR /w\nRUN a')?.steps[0]).toMatchObject({
      env: { A: '1', B: '1-2' },
      folder: '\uE000',
    }))

  it('takes linear time', () => {
    const started = Date.now()
    for (const piece of ['RUN a \\\n', 'ENV A=$A$A\n', 'RUN <<E\n', `\${a:-`, `ENV ${'a'.repeat(60_000)}`, '\\\n', ' '])
      readDockerfile('Dockerfile', `FROM x\nENV A=b\n${piece.repeat(64_000 / piece.length)}`)
    expect(Date.now() - started).toBeLessThan(3000)
  })
})

describe('a development container', () => {
  it('is read with its comments', () => {
    const text = `{
      // the image
      "image": "example.org/devcontainers/python:3", /* and more */
      "features": {
        "example.org/features/node:1": { "version": "20" },
        "example.org/rocker/apt-packages:1": { "packages": "libpq-dev, libfoo1" },
      },
      "postCreateCommand": { "a": "pip install -e . // x", "b": ["npm", "ci"] },
      "onCreateCommand": "./prepare.sh",
    }`
    expect(readDevcontainer('.devcontainer.json', text)).toMatchObject({
      image: 'example.org/devcontainers/python:3',
      versions: [
        { language: 'python', version: '3' },
        { language: 'javascript', version: '20' },
      ],
      packages: ['libpq-dev', 'libfoo1'],
      steps: [{ script: './prepare.sh' }, { script: 'pip install -e . // x' }, { script: "'npm' 'ci'" }],
    })
  })

  it('is none where it is no JSON', () => expect(readDevcontainer('a', '{"image": ')).toBeUndefined())

  it('takes linear time', () => {
    const started = Date.now()
    for (const piece of ['[', '"', '\\"', '/*', '//', ', ', '{"a":'])
      readDevcontainer('a', piece.repeat(64_000 / piece.length))
    expect(Date.now() - started).toBeLessThan(3000)
  })
})
