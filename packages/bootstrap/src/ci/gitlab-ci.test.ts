import { describe, expect, it } from 'vitest'
import { readGitlab } from './gitlab-ci.ts'
import { openYamlParser } from './parse-yaml.ts'

const parse = await openYamlParser()
const jobsOf = (text: string) => readGitlab('.gitlab-ci.yml', text, parse)

const file = `
variables: {PY: "3.9", OTHER: "$PY"}
default:
  before_script: [before]
  services: [redis]
.base:
  image: python:\${PY}-slim
  variables: {TZ: UTC}
test:
  extends: .base
  services: [{name: example.org/postgres:15}]
  parallel: {matrix: [{PY: [3.10, 3.8]}, {PY: 3.9, X: [1, 2]}]}
  script:
    - cd x
    - [a, b]
    - !reference [.more, script]
.more: {script: c}
lint:
  image: node:20
  before_script: []
  script: d
deploy: {script: e, when: manual}
mac: {script: f, tags: [macos]}
`

describe('jobs of GitLab', () => {
  const jobs = jobsOf(file)

  it('are those that run on Linux', () => expect(jobs.map(({ name }) => name)).toEqual(['test', 'lint', 'deploy']))

  it('have what they extend and the newest row of their matrix', () =>
    expect(jobs[0]).toEqual({
      file: '.gitlab-ci.yml',
      name: 'test',
      isRegular: true,
      image: 'python:3.10-slim',
      versions: [{ language: 'python', version: '3.10', tested: ['3.10', '3.8', '3.9'] }],
      services: ['postgres'],
      packages: [],
      steps: [
        {
          script: 'before\ncd x\na\nb\nc',
          env: { PY: '3.10', OTHER: '3.10', TZ: 'UTC' },
          ownEnv: ['TZ'],
          folder: '',
        },
      ],
    }))

  it('take the defaults that they do not set', () =>
    expect(jobs[1]).toMatchObject({ image: 'node:20', services: ['redis'], steps: [{ script: 'd' }] }))

  it('are not for every change where a person starts them', () => expect(jobs[2]?.isRegular).toBe(false))

  it('may extend and quote each other in a circle', () =>
    expect(
      jobsOf('a: {extends: b, script: [!reference [b, script]]}\nb: {extends: a, script: [!reference [b, script], x]}'),
    ).toHaveLength(2))

  it('end where they double', () => {
    const started = Date.now()
    const names = Array.from({ length: 60 }, (_, at) => at)
    jobsOf(
      names
        .map(
          (at) =>
            `j${at}: {extends: [j${at + 1}, j${at + 1}], script: [!reference [j${at + 1}, script], !reference [j${at + 1}, script]]}\n`,
        )
        .join(''),
    )
    jobsOf(
      `variables: {A: ${'x'.repeat(900)}, B: "${'$A'.repeat(900)}"}\nt: {image: "python:${'$B'.repeat(900)}", script: x}\n`,
    )
    expect(Date.now() - started).toBeLessThan(3000)
  })
})
