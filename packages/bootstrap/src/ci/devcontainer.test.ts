import { describe, expect, it } from 'vitest'
import { readDevcontainer } from './devcontainer.ts'

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
      versions: [],
      packages: ['libpq-dev', 'libfoo1'],
      steps: [{ script: './prepare.sh' }, { script: 'pip install -e . // x' }, { script: "'npm' 'ci'" }],
    })
  })

  it('is none where it is no JSON', () => expect(readDevcontainer('a', '{"image": ')).toBeUndefined())

  it('takes linear time', () => {
    const started = Date.now()
    readDevcontainer('a', `{"features": {"${':'.repeat(60_000)}/": 1}}`)
    for (const piece of ['[', '"', '\\"', '/*', '//', ', ', '{"a":'])
      readDevcontainer('a', piece.repeat(64_000 / piece.length))
    expect(Date.now() - started).toBeLessThan(3000)
  })
})
