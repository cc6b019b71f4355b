import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDockerSandbox } from '../packages/sandbox/src/docker/index.ts'
import { buildRepository } from '../packages/testing/src/index.ts'
import { type Expected, type LanguageSample, languageSamples } from './__fixtures__/languages/index.ts'
import { type R2eResult, r2e } from './__fixtures__/r2e.ts'

const MINUTES = 60_000
const lab = process.env.R2E_LAB ?? ''
const required = process.env.R2E_REQUIRE_DOCKER === '1'
const probe = await createDockerSandbox().probe()
const reason = !existsSync(join(lab, 'prove')) ? 'R2E_LAB names no lab' : probe.ok ? undefined : probe.detail
if (required && reason) throw new Error(`the languages cannot be tried: ${reason}`)

const cwd = mkdtempSync(join(tmpdir(), 'r2e-languages-'))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

interface Placed extends LanguageSample {
  /** Of its own for each sample: a language may have several. */
  readonly folder: string
}
const samples: readonly Placed[] = languageSamples.map((sample, at) => ({
  ...sample,
  folder: `${at}-${sample.language}`,
}))

/** Every commit is a candidate, and two pairs of runs with one proof show what this is about: reports, ids and lists. */
const words = ({ language, image, folder }: Placed) => [
  ...['--json', 'generate', '--repo', `./${folder}`, '--pipeline', 'commit_runtime', '--sandbox', 'docker'],
  ...['--language', language, '--base-image', image, '--out', `all/${folder}`, '--state-dir', `state-${folder}`],
  ...['bugfix_only', 'require_new_test_funcs'].flatMap((name) => ['--pipeline-opt', `${name}=false`]),
  ...['min_message_words', 'min_problem_statement_words'].flatMap((name) => ['--pipeline-opt', `${name}=0`]),
  ...['--qa-opt', 'determinism_runs=2', '--qa-opt', 'oracle_runs=1'],
]

describe.skipIf(reason !== undefined)(`a repository of each language${reason ? ` (${reason})` : ''}`, () => {
  for (const sample of samples)
    describe(sample.folder, () => {
      let made: R2eResult
      beforeAll(async () => {
        await buildRepository(join(cwd, sample.folder), sample.history)
        made = await r2e(words(sample), { cwd })
      }, 10 * MINUTES)

      it('gives tasks and reasons that are right, test by test [A1 B6 W9 W31]', () => {
        expect(made).toMatchObject({ code: 0, stderr: '' })
        const found = outcomes(made, join(cwd, 'all', sample.folder))
        for (const [subject, expected] of Object.entries(sample.expected))
          expect([subject, held(found.get(subject), expected)]).toEqual([subject, expected])
      })
    })

  it(
    'a task of each scores 1 with its oracle and 0 without, three times over, in the real Harbor [J8 W13]',
    async () => {
      for (const { folder } of samples) {
        const from = join(cwd, 'all', folder)
        const task = readdirSync(from).find((name) => name.startsWith('local__'))!
        cpSync(join(from, task), join(cwd, 'proven', `${folder}-${task}`), { recursive: true })
      }
      const { stdout } = await promisify(execFile)(join(lab, 'prove'), ['proven', '--repeat', '3'], { cwd })
      expect(stdout.trimEnd().split('\n').at(-1)).toBe(`${samples.length} passed, 0 failed`)
    },
    12 * MINUTES,
  )
})

interface Found {
  readonly skip?: string
  readonly failToPass?: readonly string[]
  readonly passToPass?: readonly string[]
}

/** What became of each commit, by the first line of its message. */
function outcomes({ events }: R2eResult, dataset: string): Map<string, Found> {
  const list = (task: string, name: string): string[] =>
    JSON.parse(readFileSync(join(dataset, task, 'tests', `${name}.json`), 'utf8'))
  const found = new Map<string, Found>()
  for (const event of events) {
    if (event.type !== 'candidate-end') continue
    const { end } = event
    if (end.state === 'skipped') found.set(event.title, { skip: end.reason })
    if (end.state === 'admitted')
      found.set(event.title, { failToPass: list(end.taskId, 'f2p'), passToPass: list(end.taskId, 'p2p') })
  }
  return found
}

/** What was found, in the shape of what is expected. */
function held(found: Found | undefined, expected: Expected): Found | Expected | undefined {
  if (!found?.failToPass || 'skip' in expected) return found && { skip: found.skip ?? 'admitted' }
  const kept = new Set(found.passToPass)
  return {
    failToPass: found.failToPass,
    ...(expected.keeps && { keeps: expected.keeps.filter((id) => kept.has(id)) }),
    ...(expected.loses && { loses: expected.loses.filter((id) => !kept.has(id)) }),
  }
}
