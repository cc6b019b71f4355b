import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRecipeBuilder } from '../packages/bootstrap/src/index.ts'
import { runTask } from '../packages/engine/src/observe/run-task.ts'
import { renderDockerfile } from '../packages/engine/src/render/dockerfile.ts'
import { recipeInput } from '../packages/languages/src/__fixtures__/recipe-input.ts'
import { packFor } from '../packages/languages/src/index.ts'
import { createDockerSandbox } from '../packages/sandbox/src/docker/index.ts'
import { decodeUtf8, encodeUtf8, type FileEntry, type RunPlan } from '../packages/spec/src/index.ts'
import { buildRepository } from '../packages/testing/src/index.ts'
import { type Expected, type LanguageSample, languageSamples, runnerSamples } from './__fixtures__/languages/index.ts'
import { type R2eResult, r2e } from './__fixtures__/r2e.ts'

const MINUTES = 60_000
/** Each is a run of its own; the first are the fail-to-pass tests. */
const MOST_SELECTED = 4
const lab = process.env.R2E_LAB ?? ''
const required = process.env.R2E_REQUIRE_DOCKER === '1'
const sandbox = createDockerSandbox()
const probe = await sandbox.probe()
const reason = !existsSync(join(lab, 'prove')) ? 'R2E_LAB names no lab' : probe.ok ? undefined : probe.detail
if (required && reason) throw new Error(`the languages cannot be tried: ${reason}`)

const cwd = mkdtempSync(join(tmpdir(), 'r2e-languages-'))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

interface Placed extends LanguageSample {
  /** Of its own for each sample: a language may have several. */
  readonly folder: string
}
const samples: readonly Placed[] = [...languageSamples, ...runnerSamples].map((sample, at) => ({
  ...sample,
  folder: `${at}-${sample.runner}`,
}))

/** Every commit is a candidate, and two pairs of runs with one proof show what this is about: reports, ids and lists. */
const words = ({ language, image, testCommand, folder }: Placed) => [
  ...['--json', 'generate', '--repo', `./${folder}`, '--pipeline', 'commit_runtime', '--sandbox', 'docker'],
  ...['--language', language, '--base-image', image, '--out', `all/${folder}`, '--state-dir', `state-${folder}`],
  ...(testCommand ? ['--test-cmd', testCommand] : []),
  ...['bugfix_only', 'require_new_test_funcs'].flatMap((name) => ['--pipeline-opt', `${name}=false`]),
  ...['min_message_words', 'min_problem_statement_words'].flatMap((name) => ['--pipeline-opt', `${name}=0`]),
  ...['--qa-opt', 'determinism_runs=2', '--qa-opt', 'oracle_runs=1'],
]

describe.skipIf(reason !== undefined)(`a repository of each language${reason ? ` (${reason})` : ''}`, () => {
  for (const sample of samples)
    describe(sample.folder, () => {
      let made: R2eResult
      beforeAll(async () => {
        if (sample.dockerfile) await buildImage(sample.image, sample.dockerfile)
        await buildRepository(join(cwd, sample.folder), sample.history)
        made = await r2e(words(sample), { cwd })
      }, 10 * MINUTES)

      it('gives tasks and reasons that are right, test by test [A1 B6 W9 W31]', () => {
        expect(made).toMatchObject({ code: 0, stderr: '' })
        const found = outcomes(made, join(cwd, 'all', sample.folder))
        for (const [subject, expected] of Object.entries(sample.expected))
          expect([subject, held(found.get(subject), expected)]).toEqual([subject, expected])
      })

      it(
        'runs each test by the selector of its id [P9]',
        async () => {
          const { recipe, runner, ids, files, plan } = await selection(sample)
          expect(runner.name).toBe(sample.runner)
          for (const id of ids.slice(0, MOST_SELECTED)) {
            const tests = await testsBy(files, { ...plan, commands: [runner.select(recipe, id)] })
            expect([id, tests[id]]).toEqual([id, 'PASSED'])
            const others = Object.keys(tests).filter((other) => other !== id && tests[other] !== 'SKIPPED')
            expect([id, others.filter((other) => !mayRunWith(sample, id, other))]).toEqual([id, []])
          }
        },
        10 * MINUTES,
      )
    })

  it(
    'a task of each language scores 1 with its oracle and 0 without, three times over, in the real Harbor [J8 W13]',
    async () => {
      const proven = samples.slice(0, languageSamples.length)
      for (const { folder } of proven) {
        const task = taskOf(folder)
        cpSync(join(cwd, 'all', folder, task), join(cwd, 'proven', `${folder}-${task}`), { recursive: true })
      }
      const { stdout } = await promisify(execFile)(join(lab, 'prove'), ['proven', '--repeat', '3'], { cwd })
      expect(stdout.trimEnd().split('\n').at(-1)).toBe(`${proven.length} passed, 0 failed`)
    },
    12 * MINUTES,
  )
})

async function buildImage(name: string, dockerfile: string): Promise<void> {
  const build = promisify(execFile)('docker', ['build', '-q', '-t', name, '-'])
  build.child.stdin!.end(dockerfile)
  await build
}

/** A task of a sample, and what its language says of it. */
async function selection({ folder, language, image, testCommand }: Placed) {
  const task = join(cwd, 'all', folder, taskOf(folder))
  const files = readTree(task)
  const text = (path: string) => decodeUtf8(files.find((file) => file.path === path)!.content)
  const plan = JSON.parse(text('tests/run.json')) as RunPlan
  const ids = ['f2p', 'p2p'].flatMap((list) => JSON.parse(text(`tests/${list}.json`)) as string[])
  const pack = packFor(language)
  const tree = Object.fromEntries(readTree(join(cwd, folder)).map(({ path, content }) => [path, decodeUtf8(content)]))
  const runner = pack.runners.find(({ name }) => name === plan.runner)!
  const options = { setup: [], baseImage: image, testCommand: testCommand?.split(' ') }
  const recipes = await createRecipeBuilder([pack]).recipes({ ...recipeInput(tree), options })
  const built = recipes.find((recipe) => renderDockerfile(recipe) === text('environment/Dockerfile'))
  // Versions as of the date of a commit are those of another here.
  const recipe = built ?? recipes.find((candidate) => candidate.runner === plan.runner)!
  return { recipe, runner, ids, files, plan }
}

/** Statuses of the solved tree under another plan. */
async function testsBy(files: readonly FileEntry[], plan: RunPlan) {
  const content = encodeUtf8(JSON.stringify(plan))
  const result = await runTask({
    provider: sandbox,
    files: files.map((file) => (file.path === 'tests/run.json' ? { ...file, content } : file)),
    state: 'oracle',
    run: 'selectors',
    limits: { cpus: 2, memoryMb: 4096, pids: 1024 },
    timeoutMs: 5 * MINUTES,
    buildTimeoutMs: 10 * MINUTES,
  })
  return result.report?.tests ?? {}
}

/** Cases of one parametrised test, the levels of a subtest, and where a runner takes files alone all of its file. */
function mayRunWith({ selects }: Placed, id: string, other: string): boolean {
  const [scope] = id.split('::')
  if (selects === 'file') return other.split('::')[0] === scope
  return selects !== undefined && selects.exec(id)?.[0] === selects.exec(other)?.[0]
}

const taskOf = (folder: string) => readdirSync(join(cwd, 'all', folder)).find((name) => name.startsWith('local__'))!

function readTree(root: string): FileEntry[] {
  const paths = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
  return paths
    .filter((path) => !path.startsWith('.git/'))
    .map((path) => {
      const mode = statSync(join(root, path)).mode & 0o100 ? '100755' : '100644'
      return { path, mode, content: readFileSync(join(root, path)) }
    })
}

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
