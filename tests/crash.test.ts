import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunEvent } from '../packages/spec/src/index.ts'
import { buildRepository } from '../packages/testing/src/index.ts'
import { leftovers, leftoversAfter, processes } from './__fixtures__/leftovers.ts'
import { whyNoLocalSandbox } from './__fixtures__/local-sandbox.ts'
import { type R2eResult, r2e } from './__fixtures__/r2e.ts'
import { seededRandom } from './__fixtures__/random.ts'
import { tinyHistory } from './__fixtures__/tiny-history.ts'
import { treeDigest } from './__fixtures__/tree-digest.ts'

const KILLS = 30
const MINUTES = 60_000
const seed = Number(process.env.R2E_TEST_SEED ?? Date.now() % 1_000_000)
const random = seededRandom(seed)
const reason = await whyNoLocalSandbox()

const cwd = mkdtempSync(join(tmpdir(), 'r2e-crash-'))
const words = [
  ...['--json', 'generate', '--repo', './tiny', '--pipeline', 'commit_runtime', '--sandbox', 'local'],
  ...['--test-cmd', 'python3 -m unittest', '--out', 'out', '--state-dir', 'state'],
  ...['--qa-opt', 'determinism_runs=1', '--qa-opt', 'oracle_runs=1'],
]
let undisturbed: Record<string, string>
let undisturbedMs: number

describe.skipIf(reason !== undefined)(`a killed run${reason ? ` (${reason})` : ''}`, () => {
  beforeAll(async () => {
    await buildRepository(join(cwd, 'tiny'), tinyHistory)
    const started = Date.now()
    expect(await r2e(words, { cwd })).toMatchObject({ code: 0, stderr: '' })
    undisturbedMs = Date.now() - started
    undisturbed = await treeDigest(join(cwd, 'out'))
    expect(Object.keys(undisturbed).filter((name) => name.endsWith('/task.toml'))).toHaveLength(4)
    expect(await leftovers(cwd)).toEqual([])
  }, 10 * MINUTES)
  afterAll(() => rmSync(cwd, { recursive: true, force: true }))

  it(
    `ends with the bytes of an undisturbed run after ${KILLS} kills at random moments (seed ${seed}) [W22 W25]`,
    async () => {
      let kills = 0
      while (kills < KILLS) {
        forgetRuns()
        kills += await killUntilDone(kills)
        expect(await treeDigest(join(cwd, 'out'))).toEqual(undisturbed)
        expect(await leftoversAfter(cwd, 10_000)).toEqual([])
      }
    },
    14 * MINUTES,
  )

  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    it(
      `leaves no process, sandbox or temporary folder after ${signal}, and goes on later [W11]`,
      async () => {
        forgetRuns()
        const stopped = await r2e(words, { cwd, onEvent: atStage('observe', (child) => child.kill(signal)) })
        expect(stopped).toMatchObject({ code: 130 })
        expect(await leftovers(cwd)).toEqual([])
        const resumed = await r2e([...words, '--resume'], { cwd })
        expect(resumed).toMatchObject({ code: 0 })
        expect(await treeDigest(join(cwd, 'out'))).toEqual(undisturbed)
      },
      5 * MINUTES,
    )

  it(
    'leaves no process behind a kill while tests run, before anything cleans up',
    async () => {
      forgetRuns()
      await r2e(words, { cwd, onEvent: atStage('observe', (child) => setTimeout(() => child.kill('SIGKILL'), 500)) })
      const end = Date.now() + 10_000
      while ((await processes(cwd)).length > 0 && Date.now() < end) await new Promise((next) => setTimeout(next, 200))
      expect(await processes(cwd)).toEqual([])
    },
    5 * MINUTES,
  )
})

/** Starts the run again and again, each start killed at a random moment, until one is through; answers the kills. */
async function killUntilDone(before: number): Promise<number> {
  for (let kills = 0; ; kills++) {
    const settled = settledIds()
    const disturb = before + kills < KILLS
    const result = await start(disturb)
    expect(redone(result, settled)).toEqual([])
    const ids = journalLines().map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)])
    if (result.signal !== 'SIGKILL') {
      expect(result).toMatchObject({ code: 0, stderr: '' })
      return kills
    }
  }
}

async function start(disturb: boolean): Promise<R2eResult> {
  const once = async (args: readonly string[]) => r2e(args, { cwd, ...(disturb && killAtRandom()) })
  const resumed = await once([...words, '--resume'])
  return resumed.stdout.includes('no_run_to_resume') ? once(words) : resumed
}

/** One half by the clock, start and preflight included; the other while a verdict or a task is being written. */
function killAtRandom() {
  const byClock = random() < 0.5
  const delay = random() * (byClock ? undisturbedMs / 8 : 50)
  const kill = (child: ChildProcess) => void setTimeout(() => child.kill('SIGKILL'), delay)
  const written = (event: RunEvent) =>
    event.type === 'task-written' || (event.type === 'candidate-end' && !event.replayed)
  return {
    onStart: (child: ChildProcess) => void (byClock && kill(child)),
    onEvent: (event: RunEvent, child: ChildProcess) => void (!byClock && written(event) && kill(child)),
  }
}

function atStage(stage: string, act: (child: ChildProcess) => void) {
  let done = false
  return (event: { type: string; stage?: string }, child: ChildProcess) => {
    if (done || event.type !== 'stage-start' || event.stage !== stage) return
    done = true
    act(child)
  }
}

/** Candidates that the journal held as settled and that this run worked on all the same. */
function redone({ events }: R2eResult, settled: readonly string[]): string[] {
  return events
    .filter((event) => event.type === 'candidate-end' && settled.includes(event.id) && !event.replayed)
    .map((event) => JSON.stringify(event))
}

/** A new beginning; only the layers of the environment and the copy of the repository stay. */
function forgetRuns(): void {
  for (const folder of [
    'out',
    'state/runs',
    'state/blobs',
    'state/cache/observations',
    'envs',
    'state/cache/environments',
  ])
    rmSync(join(cwd, folder), { recursive: true, force: true })
}

const settledIds = (): string[] => journalLines().map(({ id }) => id)

function journalLines(): { id: string }[] {
  const runs = join(cwd, 'state/runs')
  return list(runs).flatMap((run) => {
    const [, ...lines] = read(join(runs, run, 'journal.jsonl'))
      .split('\n')
      .slice(0, -1)
    return lines.map((line) => JSON.parse(line))
  })
}

const list = (folder: string) => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

const read = (path: string) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
