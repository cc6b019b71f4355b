import { describe, expect, it } from 'vitest'
import { imageVersion, serviceName, setUpVersion } from './tool-versions.ts'
import { unresolved } from './unresolved.ts'

const images: readonly [image: string, language: string | undefined, version?: string][] = [
  ['python:3.12-slim', 'python', '3.12'],
  ['registry.example:5000/library/python:3.7', 'python', '3.7'],
  ['python:3.15-rc', 'python', '3.15-rc'],
  ['python', undefined],
  ['python:latest', undefined],
  ['node:20@sha256:00', 'javascript', '20'],
  ['golang:1.22-alpine', 'go', '1.22'],
  ['maven:3.9-eclipse-temurin-17', 'java', '17'],
  ['gradle:8.5-jdk21', 'java', '21'],
  ['eclipse-temurin:11-jdk', 'java', '11'],
  ['example.org/devcontainers/python:1-3.11-bookworm', 'python', '3.11'],
  ['example.org/dotnet/sdk:8.0', 'csharp', '8.0'],
  ['debian:bookworm', undefined],
]

describe('the language of an image', () => {
  for (const [image, language, version] of images)
    it(`${image} is ${language}`, () => expect(imageVersion(image)).toEqual(language && { language, version }))

  it('has no registry and no tag in the name of a service', () =>
    expect(['postgres:15', 'example.org/x/redis', 'mysql@sha256:0'].map(serviceName)).toEqual([
      'postgres',
      'redis',
      'mysql',
    ]))
})

describe('the version that an action sets up', () => {
  it('is open where the step does not say it', () => {
    const open = { language: 'python', version: unresolved }
    expect(setUpVersion('actions/setup-python@v5', { 'python-version-file': 'pyproject.toml' })).toEqual(open)
    expect(setUpVersion('actions/setup-python@v5', {})).toEqual(open)
    expect(setUpVersion('actions/setup-python@v5', { 'python-version': '' })).toEqual(open)
  })

  it('is none of other actions', () => expect(setUpVersion('constructor', {})).toBeUndefined())
})
