import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { RunEvent } from '../packages/spec/src/index.ts'
import { buildRepository, type RepositoryStep } from '../packages/testing/src/index.ts'
import { leftovers, leftoversAfter, processes } from './__fixtures__/leftovers.ts'
import { whyNoLocalSandbox } from './__fixtures__/local-sandbox.ts'
import { type R2eResult, r2e } from './__fixtures__/r2e.ts'
import { seededRandom } from './__fixtures__/random.ts'
import { requests } from './__fixtures__/request-history.ts'
import { tinyHistory } from './__fixtures__/tiny-history.ts'
import { treeDigest } from './__fixtures__/tree-digest.ts'

const MINUTES = 60_000
const seed = Number(process.env.R2E_TEST_SEED ?? Date.now() % 1_000_000)
const random = seededRandom(seed)
const reason = await whyNoLocalSandbox()
const base = mkdtempSync(join(tmpdir(), 'r2e-crash-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

interface Subject {
  readonly cwd: string
  readonly words: readonly string[]
  readonly kills: number
  /** Part of an undisturbed run after which a start is killed at the latest. */
  readonly within: number
}

/** Many observations, few writes; and next to no work between the writes. */
const executed = subject('commit_runtime', tinyHistory, { kills: 10, within: 1 / 6 }, [
  ...['--sandbox', 'local', '--test-cmd', 'python3 -m unittest'],
  ...['--qa-opt', 'determinism_runs=1', '--qa-opt', 'oracle_runs=1'],
])
const compared = subject('pr_diff', requests(8), { kills: 25, within: 1 }, ['--sandbox', 'none'])

describe('a killed run of pr_diff', () => killedRuns(compared))
describe.skipIf(reason)(`a killed run of commit_runtime${reason ? ` (${reason})` : ''}`, () => {
  killedRuns(executed)
  const { cwd, words } = executed

  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    it(
      `leaves no process, sandbox or temporary folder after ${signal}, and goes on later [W11]`,
      async () => {
        const before = await treeDigest(join(cwd, 'out'))
        forgetRuns(cwd)
        const stopped = await r2e(words, { cwd, onEvent: atStage('observe', (child) => child.kill(signal)) })
        expect(stopped).toMatchObject({ code: 130 })
        expect(await leftovers(cwd)).toEqual([])
        expect(await r2e([...words, '--resume'], { cwd })).toMatchObject({ code: 0 })
        expect(await treeDigest(join(cwd, 'out'))).toEqual(before)
      },
      8 * MINUTES,
    )

  it(
    'leaves no process behind a kill while tests run, before anything cleans up',
    async () => {
      forgetRuns(cwd)
      await r2e(words, { cwd, onEvent: atStage('observe', (child) => setTimeout(() => child.kill('SIGKILL'), 500)) })
      // one look may fall between the end of one process and the start of the next
      let quiet = 0
      for (const end = Date.now() + 20_000; quiet < 3 && Date.now() < end; ) {
        await new Promise((next) => setTimeout(next, 200))
        quiet = (await processes(cwd)).length === 0 ? quiet + 1 : 0
      }
      expect([quiet, await processes(cwd)]).toEqual([3, []])
    },
    8 * MINUTES,
  )
})

function subject(
  pipeline: string,
  history: readonly RepositoryStep[],
  plan: Pick<Subject, 'kills' | 'within'>,
  more: readonly string[],
): Subject & { history: readonly RepositoryStep[] } {
  const words = [
    '--json',
    'generate',
    '--repo',
    './demo',
    '--pipeline',
    pipeline,
    '--out',
    'out',
    '--state-dir',
    'state',
  ]
  return { cwd: join(base, pipeline), words: [...words, ...more], history, ...plan }
}

function killedRuns({ cwd, words, history, kills, within }: Subject & { history: readonly RepositoryStep[] }): void {
  it(
    `ends with the bytes of an undisturbed one after ${kills} kills at random moments (seed ${seed}) [W22 W25]`,
    async () => {
      await buildRepository(join(cwd, 'demo'), history)
      const started = Date.now()
      expect(await r2e(words, { cwd })).toMatchObject({ code: 0, stderr: '' })
      const longest = (Date.now() - started) * within
      const undisturbed = await treeDigest(join(cwd, 'out'))
      expect(Object.keys(undisturbed).filter((name) => name.endsWith('/task.toml')).length).toBeGreaterThan(3)
      expect(await leftovers(cwd)).toEqual([])
      for (let done = 0; done < kills; ) {
        forgetRuns(cwd)
        done += await killUntilDone({ cwd, words, kills: kills - done, within: longest })
        expect(await treeDigest(join(cwd, 'out'))).toEqual(undisturbed)
        expect(await leftoversAfter(cwd, 10_000)).toEqual([])
      }
    },
    14 * MINUTES,
  )
}

/** Starts a run again and again, each start killed at a random moment, until one is through; answers the kills. */
async function killUntilDone({ cwd, words, kills, within }: Subject): Promise<number> {
  for (let done = 0; ; done++) {
    const settled = journalIds(cwd)
    const once = (args: readonly string[]) => r2e(args, { cwd, ...(done < kills && killAtRandom(within)) })
    const resumed = await once([...words, '--resume'])
    const result = resumed.stdout.includes('no_run_to_resume') ? await once(words) : resumed
    expect(redone(result, settled)).toEqual([])
    const ids = journalIds(cwd)
    expect(ids).toEqual([...new Set(ids)])
    if (result.signal === 'SIGKILL') continue
    expect(result).toMatchObject({ code: 0, stderr: '' })
    return done
  }
}

/** One half by the clock, start and preflight included; the other while a verdict or a task is being written. */
function killAtRandom(within: number) {
  const byClock = random() < 0.5
  const delay = random() * (byClock ? within : 50)
  const kill = (child: ChildProcess) => void setTimeout(() => child.kill('SIGKILL'), delay)
  let left = Math.floor(random() * 3)
  const written = (event: RunEvent) =>
    (event.type === 'task-written' || (event.type === 'candidate-end' && !event.replayed)) && left-- === 0
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
function forgetRuns(cwd: string): void {
  for (const folder of ['out', 'envs', 'state/runs', 'state/blobs', 'state/cache/observations'])
    rmSync(join(cwd, folder), { recursive: true, force: true })
}

/** Ids of all settled candidates, as the journals have them. */
function journalIds(cwd: string): string[] {
  const runs = join(cwd, 'state/runs')
  return list(runs).flatMap((run) => {
    const [, ...lines] = read(join(runs, run, 'journal.jsonl'))
      .split('\n')
      .slice(0, -1)
    return lines.map((line) => JSON.parse(line).id)
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
