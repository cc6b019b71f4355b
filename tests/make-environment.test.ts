import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type BootstrapEvent,
  createRecipeBuilder,
  type EnvironmentRecord,
  type MakeEnvironmentInput,
  makeEnvironment,
  openEnvironmentStore,
  preferStored,
} from '../packages/bootstrap/src/index.ts'
import { createRecipeProver, takeLock } from '../packages/engine/src/index.ts'
import { languagePacks } from '../packages/languages/src/index.ts'
import { createLocalSandbox } from '../packages/sandbox/src/local/index.ts'
import { createGitSource } from '../packages/source/src/git/index.ts'
import type {
  EnvironmentBuilder,
  EnvironmentMender,
  MendRequest,
  Recipe,
  RecipeStep,
  SandboxProvider,
} from '../packages/spec/src/index.ts'
import { buildRepository } from '../packages/testing/src/index.ts'
import { SANDBOX, SYSTEM_PATH, whyNoLocalSandbox } from './__fixtures__/local-sandbox.ts'
import { tinyHistory } from './__fixtures__/tiny-history.ts'

const reason = await whyNoLocalSandbox()
const cwd = mkdtempSync(join(tmpdir(), 'r2e-environments-'))
const stateDirectory = join(cwd, 'sandbox')
const local = createLocalSandbox({ stateDirectory, environment: { PATH: SYSTEM_PATH } })
const { signal } = new AbortController()
let commits: readonly string[]

beforeAll(async () => {
  commits = (await buildRepository(join(cwd, 'tally'), tinyHistory.slice(0, 3))).commits
})
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

/** The local sandbox, what is done with it counted. */
function counted() {
  const done = { builds: 0, opened: 0 }
  const sandbox: SandboxProvider = {
    ...local,
    build: (request) => {
      done.builds++
      return local.build(request)
    },
    open: (request) => {
      done.opened++
      return local.open(request)
    },
  }
  return { done, sandbox }
}

const OPTIONS = { setup: [], testCommand: ['python3', '-m', 'unittest'] }
const step = (run: string): RecipeStep => ({ run, network: false })
const inferring = createRecipeBuilder(languagePacks)

/** Recipes for the tests of `tally`, which need nothing: each of these changes in its turn. */
function changing(...changes: readonly Partial<Recipe>[]): EnvironmentBuilder {
  return {
    version: inferring.version,
    async recipes(input) {
      const [recipe] = await inferring.recipes(input)
      return changes.map((change) => ({ ...recipe!, dependencies: [], project: [], env: {}, ...change }))
    },
  }
}

interface Made {
  readonly events: readonly BootstrapEvent[]
  readonly record: EnvironmentRecord
  readonly done: { readonly builds: number; readonly opened: number }
  readonly seconds: number
}

async function make(store: string, changes: Partial<MakeEnvironmentInput> = {}): Promise<Made> {
  const { done, sandbox } = counted()
  const started = performance.now()
  const making = makeEnvironment({
    source: createGitSource({ environment: process.env }),
    spec: { url: join(cwd, 'tally'), ref: 'HEAD', access: 'auto' },
    cacheDirectory: join(cwd, 'cache'),
    options: OPTIONS,
    place: { platform: 'linux/amd64', test_cmd: 'python3 -m unittest', sandbox: 'local' },
    builder: changing({}),
    languages: languagePacks,
    prover: createRecipeProver({ provider: sandbox, sandbox: SANDBOX, languages: languagePacks, run: 'make-test' }),
    sandbox,
    store: openEnvironmentStore(join(cwd, store), takeLock),
    force: false,
    maxSeconds: 600,
    now: () => new Date('2026-01-02T03:04:05Z'),
    signal,
    ...changes,
  })
  const events: BootstrapEvent[] = []
  for (;;) {
    const { done: ended, value } = await making.next()
    if (ended) return { events, record: value, done, seconds: (performance.now() - started) / 1000 }
    events.push(value)
  }
}

const typesOf = ({ events }: Made) => events.map(({ type }) => type)
const imagesOf = () => readdirSync(join(stateDirectory, 'i')).length
const pathsBelow = (store: string) =>
  readdirSync(join(cwd, store), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(cwd, store).length + 1))
    .sort()

describe.skipIf(reason !== undefined)('an environment', () => {
  it('is inferred, tried, proven from nothing and stored; then it is answered at once, without a sandbox [I8 D10]', async () => {
    const first = await make('first', { builder: inferring })
    expect(typesOf(first)).toEqual([
      'bootstrap-start',
      ...first.events.filter(({ type }) => type === 'recipe-inferred').map(({ type }) => type),
      'attempt-start',
      'attempt-end',
      'proof-start',
      'proof-end',
      'bootstrap-end',
    ])
    expect(first.events.find(({ type }) => type === 'proof-end')).toMatchObject({
      ok: true,
      known: false,
      runs: [
        { seen: 6, passed: 5 },
        { seen: 6, passed: 5 },
      ],
      unstable: [],
    })
    expect(first.record).toMatchObject({
      schema: 'r2e.bootstrap/1',
      language: 'python',
      repo: 'local/tally',
      ref: commits.at(-1),
      test_cmds: ['python3 -m unittest'],
      smoke_passed: true,
      iterations: 0,
      llm_provider: null,
      llm_cost_estimate_usd: 0,
      pushed_to_registry: false,
      verify_passed: true,
      runner: 'unittest',
      strategy: 'recipe',
      verify_detail: expect.stringContaining('5 of 6 tests passed, 5 of 6 tests passed; the runs agree'),
      toolchain: { python3: expect.stringMatching(/^Python 3/) },
    })
    const folder = `local__tally/${commits.at(-1)!.slice(0, 12)}__`
    const paths = pathsBelow('first').filter((path) => !path.startsWith('logs/'))
    expect(paths.map((path) => path.replace(/__[0-9a-f]{8}\//, '__/').replace(/[0-9a-f]{24}/, 'KEY'))).toEqual([
      `${folder}/Dockerfile`,
      `${folder}/bootstrap.json`,
      `${folder}/transcript.jsonl`,
      'recipes/KEY/Dockerfile',
      'recipes/KEY/proof.json',
      'recipes/KEY/recipe.json',
    ])
    expect(await local.has(first.record.image_tag)).toBe(true)

    const second = await make('first', { builder: inferring })
    expect(typesOf(second)).toEqual(['bootstrap-start', 'bootstrap-end'])
    expect(second.events.at(-1)).toMatchObject({ cached: true })
    expect(second.done).toEqual({ builds: 0, opened: 0 })
    expect(second.record).toEqual(first.record)
    expect(second.seconds).toBeLessThan(2)
  }, 180_000)

  it('of a commit with equal manifests is proven by the run on its own tree alone [W15]', async () => {
    await make('shared')
    const other = await make('shared', { spec: { url: join(cwd, 'tally'), ref: 'HEAD~1', access: 'auto' } })
    expect(other.events.find(({ type }) => type === 'proof-end')).toMatchObject({ ok: true, known: true })
    expect(typesOf(other)).not.toContain('proof-start')
    expect([other.record.ref, other.done.builds]).toEqual([commits.at(-2), 1])
    expect(pathsBelow('shared').filter((path) => path.endsWith('proof.json'))).toHaveLength(1)
  }, 120_000)

  it('whose image is gone is built again from its recipe [I12]', async () => {
    const before = await make('shared')
    await local.remove(before.record.image_tag)
    const again = await make('shared')
    expect(typesOf(again)).toContain('attempt-end')
    expect(again.events.find(({ type }) => type === 'proof-end')).toMatchObject({ known: true })
    expect(await local.has(again.record.image_tag)).toBe(true)
    expect((await make('shared')).done.builds).toBe(0)
  }, 120_000)

  it('whose entry is damaged is made again', async () => {
    const path = (name: string) => join(cwd, 'shared', pathsBelow('shared').find((each) => each.endsWith(name))!)
    await writeFile(path('proof.json'), readFileSync(path('proof.json'), 'utf8').slice(0, 200))
    const again = await make('shared')
    expect(again.events.find(({ type }) => type === 'proof-end')).toMatchObject({ ok: true, known: false })
    expect((await make('shared')).done.builds).toBe(0)
    await writeFile(path('recipe.json'), '{}')
    await rm(path('Dockerfile'))
    expect((await make('shared')).done.builds).toBeGreaterThan(0)
  }, 180_000)

  it('is made by the first recipe that works, and what failed is told and logged with its reason', async () => {
    const builder = changing(
      { dependencies: [step('echo no such package; exit 1')], baseImage: 'first' },
      { project: [step('exit 2')], baseImage: 'second' },
      { baseImage: 'third' },
    )
    const { events, record } = await make('several', { builder })
    expect(events.filter(({ type }) => type === 'attempt-end')).toMatchObject([
      { recipe: 1, ok: false, reason: 'environment_failed', step: 'RUN echo no such package; exit 1' },
      { recipe: 2, ok: false, reason: 'environment_failed', step: 'RUN exit 2' },
      { recipe: 3, ok: true, passed: 5 },
    ])
    expect(record.dockerfile_reconstruction).toMatch(/^FROM third$/m)
    const log = pathsBelow('several').find((path) => path.endsWith('attempts.log'))!
    expect(readFileSync(join(cwd, 'several', log), 'utf8')).toMatch(/recipe 1: python on first[\s\S]*no such package/)
    expect(existsSync(join(cwd, 'several', 'sets'))).toBe(false)
  }, 180_000)

  it('that comes after recipes that fail before any tree comes in is tried first from then on', async () => {
    const builder = changing({ dependencies: [step('exit 1')] }, { baseImage: 'second' })
    await make('certain', { builder })
    const spec = { url: join(cwd, 'tally'), ref: 'HEAD~1', access: 'auto' } as const
    const other = await make('certain', { builder, spec })
    expect(other.events.filter(({ type }) => type === 'attempt-end')).toMatchObject([{ recipe: 1, ok: true }])
    expect(other.record.dockerfile_reconstruction).toMatch(/^FROM second$/m)
    const forced = await make('certain', { builder, spec, force: true })
    expect(forced.events.filter(({ type }) => type === 'attempt-end')).toMatchObject([{ ok: false }, { ok: true }])
  }, 120_000)

  it('that no recipe makes is a failure of the work: three hints, and where the log is', async () => {
    const before = imagesOf()
    const builder = changing({
      dependencies: [step('gcc --version; echo "fatal error: Python.h: No such file"; exit 1')],
    })
    const failing = make('failing', { builder })
    await expect(failing).rejects.toMatchObject({ code: 'bootstrap_failed', fault: 'user' })
    const error = (await failing.catch((thrown) => thrown)) as {
      message: string
      fix: string
      details: { log: string }
    }
    expect(error.message).toMatch(
      /^no environment of local\/tally at [0-9a-f]{12} runs its tests: 1 recipe was tried; environment_failed: step_failed at "RUN gcc/,
    )
    expect(error.fix).toMatch(/^--setup [^;]*; --base-image [^;]*; --language [^;]*; what was tried is in \//)
    expect(readFileSync(error.details.log, 'utf8')).toContain('fatal error: Python.h')
    expect(pathsBelow('failing').filter((path) => path.endsWith('bootstrap.json'))).toEqual([])
    expect(imagesOf()).toBe(before)
    const none = make('failing', { builder: changing() })
    await expect(none).rejects.toMatchObject({ fix: expect.stringMatching(/^--language/) })
  }, 120_000)

  it('needs a test that passes in every run of the proof; one that moves is named [I8]', async () => {
    // Passes on every second run, by a count that outlives a sandbox in no way but the clock.
    const racy = [
      {
        commit: 'Start',
        files: {
          'test_clock.py': [
            'import time, unittest',
            'class ClockTest(unittest.TestCase):',
            '    def test_still(self):',
            '        self.assertTrue(True)',
            ...Array.from({ length: 12 }, (_, i) =>
              [`    def test_toss_${i}(self):`, '        self.assertTrue(time.time_ns() // 1000 % 2)'].join('\n'),
            ),
            '',
          ].join('\n'),
        },
      },
    ]
    await buildRepository(join(cwd, 'racy'), racy)
    const { events, record } = await make('racy-store', {
      spec: { url: join(cwd, 'racy'), ref: 'HEAD', access: 'auto' },
    })
    const proof = events.find(({ type }) => type === 'proof-end') as { unstable: string[] }
    expect(proof.unstable.length).toBeGreaterThan(0)
    expect(record.verify_detail).toMatch(/tests differ between the runs$/)
  }, 120_000)

  it('is mended where nothing inferred works; what was mended is proven alike, and comes first from then on', async () => {
    const builder = changing({ dependencies: [step('exit 1')] })
    const asked: MendRequest[] = []
    const mender: EnvironmentMender = {
      async mend(request) {
        asked.push(request)
        await writeFile(request.transcript, '{"role":"user"}\n')
        const [recipe] = await changing({}).recipes(request)
        return { kind: 'recipe', iterations: 3, recipe: recipe! }
      },
    }
    const model = { name: 'acme/small', costUsd: () => 0.25 }
    const made = await make('mended', { builder, mender, model })
    expect(typesOf(made)).toEqual(expect.arrayContaining(['mend-start', 'mend-end', 'proof-start', 'proof-end']))
    expect(made.record).toMatchObject({
      strategy: 'agent',
      iterations: 3,
      llm_provider: 'acme/small',
      llm_cost_estimate_usd: 0.25,
    })
    expect(asked).toMatchObject([{ failed: [{ failure: { reason: 'environment_failed', step: 'RUN exit 1' } }] }])
    const transcript = pathsBelow('mended').find((path) => /^local__tally.*transcript.jsonl$/.test(path))!
    expect(readFileSync(join(cwd, 'mended', transcript), 'utf8')).toBe('{"role":"user"}\n')

    const spec = { url: join(cwd, 'tally'), ref: 'HEAD~1', access: 'auto' } as const
    const other = await make('mended', { builder, spec })
    expect(other.events.filter(({ type }) => type === 'recipe-inferred')).toMatchObject([
      { source: 'stored' },
      { source: 'inferred' },
    ])
    expect(other.record.strategy).toBe('agent')

    await using repository = await createGitSource({ environment: process.env }).open(spec, {
      cacheDirectory: join(cwd, 'cache'),
    })
    const input = { tree: await repository.tree(repository.head), repository, options: OPTIONS }
    const orderIn = async (store: string) => {
      const preferring = preferStored(builder, {
        store: openEnvironmentStore(join(cwd, store), takeLock),
        sandbox: 'local',
        platform: 'linux/amd64',
      })
      return (await preferring.recipes(input)).map(({ dependencies }) => dependencies[0]?.run)
    }
    expect(await orderIn('mended')).toEqual([undefined, 'exit 1'])
    // What inference alone proved changes no order: the recipe of a tree depends on its manifests.
    expect(await orderIn('first')).toEqual(['exit 1'])
  }, 180_000)

  it('that is given up by the model says so', async () => {
    const mender: EnvironmentMender = { mend: async () => ({ kind: 'gave_up', detail: 'no network', iterations: 2 }) }
    const builder = changing({ dependencies: [step('exit 1')] })
    await expect(make('given-up', { builder, mender })).rejects.toMatchObject({
      code: 'bootstrap_failed',
      message: expect.stringContaining('mending ended with gave_up: no network'),
    })
  })

  it('takes no longer than it may', async () => {
    const builder = changing({ dependencies: [step('sleep 60')] })
    const started = performance.now()
    await expect(make('late', { builder, maxSeconds: 3 })).rejects.toMatchObject({
      code: 'bootstrap_failed',
      message: expect.stringContaining('within 3 s'),
      fix: expect.stringContaining('--max-seconds'),
    })
    expect(performance.now() - started).toBeLessThan(20_000)
  }, 60_000)
})
