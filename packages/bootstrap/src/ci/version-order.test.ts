import { describe, expect, it } from 'vitest'
import { imageVersion, serviceName } from './image-version.ts'
import { newestVersion } from './version-order.ts'

const newest: readonly [versions: readonly string[], chosen: string | undefined][] = [
  [['3.9', '3.10', '3.2'], '3.10'],
  [['3.13', '3.14-dev', '3.15.0-rc.1', '3.14t', 'pypy-3.11'], '3.13'],
  [['8', '25', '17', '26-ea'], '25'],
  [['1.22.x', '1.9.x'], '1.22.x'],
  [['nightly', '1.86.0', 'stable'], 'stable'],
  [['18', 'lts/*'], 'lts/*'],
  [['pypy-3.9', 'nightly'], 'pypy-3.9'],
  [[], undefined],
]

describe('the newest version', () => {
  for (const [versions, chosen] of newest)
    it(`of ${versions.join(', ') || 'none'} is ${chosen}`, () => expect(newestVersion(versions)).toBe(chosen))
})

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
