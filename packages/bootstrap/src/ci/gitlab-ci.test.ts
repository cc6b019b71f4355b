import { describe, expect, it } from 'vitest'
import { openBudget, TooMuch } from './budget.ts'
import { readGitlab } from './gitlab-ci.ts'
import { openYamlParser } from './yaml.ts'

const parse = await openYamlParser({ commands: 1_000_000, bytes: 1_000_000_000 })
const jobsOf = (text: string) => readGitlab({ file: '.gitlab-ci.yml', text, parse, budget: openBudget() })

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
      rowFor: { except: [] },
      versions: [{ language: 'python', version: '3.10', tested: ['3.10', '3.8', '3.9'] }],
      services: ['postgres'],
      packages: [],
      steps: [
        {
          script: 'before\ncd x\na\nb\nc',
          isLiteral: true,
          env: { PY: '3.10', OTHER: '3.10', TZ: 'UTC' },
          ownEnv: { TZ: 'UTC' },
          folder: '',
        },
      ],
    }))

  it('take the defaults that they do not set', () =>
    expect(jobs[1]).toMatchObject({ versions: [{ version: '20' }], services: ['redis'], steps: [{ script: 'd' }] }))

  it('are not for every change where a person starts them', () => expect(jobs[2]?.isRegular).toBe(false))

  it('may extend and quote each other in a circle', () =>
    expect(
      jobsOf('a: {extends: b, script: [!reference [b, script]]}\nb: {extends: a, script: [!reference [b, script], x]}'),
    ).toHaveLength(2))

  it('have a row for each language of their images', () => {
    const found = jobsOf('t: {image: $I, script: x, parallel: {matrix: [{I: ["python:3.9", "node:20", "node:22"]}]}}')
    expect(found.map(({ rowFor, versions }) => [rowFor, versions[0]?.version])).toEqual([
      [{ except: ['javascript'] }, '3.9'],
      [{ only: 'javascript', except: [] }, '22'],
    ])
  })

  it('may extend each other without end', () => {
    const names = Array.from({ length: 2000 }, (_, at) => at)
    const text = names.map((at) => `.j${at}: {extends: .j${at + 1}, script: x}\n`).join('')
    expect(jobsOf(`t: {extends: .j0}\n${text}`)).toHaveLength(1)
  })

  const many = (of: number, text: (at: number) => string) => Array.from({ length: of }, (_, at) => text(at)).join('')
  const hostile: readonly [title: string, text: string][] = [
    [
      'parts of each other',
      many(60, (at) => {
        const part = `!reference [j${at + 1}, script]`
        return `j${at}: {extends: [j${at + 1}, j${at + 1}], script: [${part}, ${part}]}\n`
      }),
    ],
    [
      'values',
      `variables: {A: ${'x'.repeat(900)}, B: "${'$A'.repeat(900)}"}\nt: {image: "python:${'$B'.repeat(900)}", script: x}\n`,
    ],
    [
      'variables in rows',
      `variables: {${many(4000, (at) => `V${at}: "$A$A", `)}A: ${'x'.repeat(400)}}\n${many(100, (at) => `j${at}: {script: x, parallel: {matrix: [{R: [${many(200, (row) => `${row}, `)}]}]}}\n`).slice(0, 20_000)}\n`,
    ],
    [
      'lines',
      `x: &x ${'y'.repeat(30_000)}\nl: &l [${'*x, '.repeat(900)}]\n${many(100, (at) => `j${at}: {script: *l}\n`)}`,
    ],
    [
      'rows',
      `m: &m {${many(300, (at) => `k${at}: [1, 2], `)}}\nt: {script: x, parallel: {matrix: [${'*m, '.repeat(900)}]}}\n`,
    ],
  ]
  for (const [title, text] of hostile)
    it(`end where they double ${title}`, () => {
      const started = Date.now()
      try {
        jobsOf(text)
      } catch (error) {
        expect(error).toBeInstanceOf(TooMuch)
      }
      expect(Date.now() - started).toBeLessThan(3000)
    })
})
