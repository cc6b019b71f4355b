import { gradeTests } from '@r2e/reward'
import { type RunConfig, type Skip, skip, type TestReport, type TestStatus } from '@r2e/spec'
import { describe, expect, it } from 'vitest'
import type { TaskInput } from '../render/task-input.ts'
import { observePairs } from './observe-pairs.ts'
import type { Lists, StateRun, Trial } from './trial.ts'

type Tests = Readonly<Record<string, TestStatus>>

interface Script {
  readonly base?: Tests
  /** What each run shows; the last entry stands for all that follow. */
  readonly broken: readonly (Tests | Skip)[]
  readonly solved: readonly (Tests | Skip)[]
  /** In place of what the tests come to. */
  readonly reward?: { readonly broken?: number; readonly solved?: number }
  readonly seconds?: number
  readonly requireFailToPass?: boolean
}

const FIX = 't.py::test_fix'
const KEEP = 't.py::test_keep'
const MOVE = 't.py::test_move'
const before: Tests = { [FIX]: 'FAILED', [KEEP]: 'PASSED' }
const after: Tests = { [FIX]: 'PASSED', [KEEP]: 'PASSED' }

describe('observePairs', () => {
  it('proves the final task as often as asked, after a pair that finds the lists', async () => {
    const { verdict, lists } = await observe({ broken: [before], solved: [after] })
    expect(verdict).toMatchObject({
      kind: 'verdict',
      failToPass: [FIX],
      passToPass: [KEEP],
      goldReward: 1,
      baselineReward: 0,
    })
    expect(lists).toEqual([undefined, ...Array(3).fill({ failToPass: [FIX], passToPass: [KEEP] })])
  })

  it('keeps a test that moves out of both lists, and proves the lists without it', async () => {
    const moving = [
      { ...after, [MOVE]: 'PASSED' },
      { ...after, [MOVE]: 'PASSED' },
      { ...after, [MOVE]: 'FAILED' },
    ]
    const { verdict, lists } = await observe({
      broken: [{ ...before, [MOVE]: 'PASSED' }],
      solved: moving as Tests[],
      reward: { solved: 1 },
    })
    expect(verdict).toMatchObject({ passToPass: [KEEP], quarantined: [MOVE], goldReward: 1 })
    expect(lists.filter((one) => one?.passToPass.length === 1)).toHaveLength(3)
  })

  it('gives up lists that never stop moving', async () => {
    const solved = Array.from({ length: 9 }, (_, run) => ({ ...after, [`t.py::test_${run}`]: 'PASSED' as const }))
    const broken = Array.from({ length: 9 }, (_, run) => ({ ...before, [`t.py::test_${run}`]: 'PASSED' as const }))
    const all = Object.fromEntries(broken.flatMap((one) => Object.keys(one)).map((id) => [id, 'PASSED' as const]))
    const script = {
      broken: broken.map((_, run) => without({ ...all, ...before }, run)),
      solved: solved.map((_, run) => without({ ...all, ...after }, run)),
      reward: { solved: 1, broken: 0 },
    }
    const { verdict, lists } = await observe(script)
    expect(verdict).toMatchObject({ reason: 'flaky' })
    expect(lists).toHaveLength(7)
  })

  it('refuses a solution that does not score 1 on the final task', async () => {
    const { verdict } = await observe({ broken: [before], solved: [after], reward: { solved: 0.999999 } })
    expect(verdict).toMatchObject({ reason: 'gold_not_one' })
  })

  it('refuses a task that rewards doing nothing', async () => {
    const { verdict } = await observe({ broken: [before], solved: [after], reward: { broken: 0.1 } })
    expect(verdict).toMatchObject({ reason: 'noop_scores' })
  })

  it('refuses a task without fail-to-pass tests, whose solution can score nothing', async () => {
    const { verdict } = await observe({ broken: [after], solved: [after], requireFailToPass: false })
    expect(verdict).toMatchObject({ reason: 'gold_not_one' })
  })

  it('says after one pair that nothing goes from failing to passing', async () => {
    const { verdict, lists } = await observe({ broken: [after], solved: [after] })
    expect(verdict).toMatchObject({ reason: 'no_fail_to_pass' })
    expect(lists).toHaveLength(1)
  })

  it('says flaky where the fail-to-pass test stops passing', async () => {
    const { verdict } = await observe({ broken: [before], solved: [after, before], reward: { solved: 1 } })
    expect(verdict).toMatchObject({ reason: 'flaky' })
  })

  it('calls a regression one only when a second pair shows it again', async () => {
    const broken = [{ ...before, [MOVE]: 'PASSED' as const }]
    const lost = { ...after, [MOVE]: 'FAILED' as const }
    const again = await observe({ broken, solved: [lost] })
    expect([again.verdict, again.lists.length]).toMatchObject([{ reason: 'gold_regresses' }, 2])
    const once = await observe({ broken, solved: [lost, { ...after, [MOVE]: 'PASSED' }] })
    expect(once.verdict).toMatchObject({ kind: 'verdict', quarantined: [MOVE] })
  })

  it('passes on why a run is no evidence', async () => {
    const { verdict } = await observe({ broken: [before], solved: [after, skip('c', 'out_of_memory', 'solved')] })
    expect(verdict).toMatchObject({ reason: 'out_of_memory' })
  })

  it('claims no reward where the layers of qa leave the proof out', async () => {
    const { verdict, lists } = await observe({ broken: [before], solved: [after] }, [])
    expect(verdict).toMatchObject({ kind: 'verdict', goldReward: undefined, baselineReward: undefined })
    expect(lists).toEqual([undefined])
  })

  it('claims no reward for lists that were never run', async () => {
    const solved = [after, after, { ...after, [KEEP]: 'FAILED' as const }]
    const { verdict } = await observe({ broken: [before], solved, reward: { solved: 1 } }, ['determinism'])
    expect(verdict).toMatchObject({ passToPass: [], goldReward: undefined })
  })

  it('keeps tests that moved elsewhere out of both lists, and proves what is left once', async () => {
    const steady = {
      broken: [{ ...before, [MOVE]: 'PASSED' as const }],
      solved: [{ ...after, [MOVE]: 'PASSED' as const }],
    }
    const { verdict, lists } = await observe(steady, ALL, [MOVE])
    expect(verdict).toMatchObject({ failToPass: [FIX], passToPass: [KEEP], quarantined: [MOVE], goldReward: 1 })
    expect(lists).toEqual([undefined, { failToPass: [FIX], passToPass: [KEEP] }])
    const nothing = await observe(steady, ALL, [FIX])
    expect([nothing.verdict, nothing.lists.length]).toMatchObject([{ reason: 'flaky' }, 1])
  })

  it('rounds three times the slowest run up to 300 × 2^k seconds [H4]', async () => {
    const limits = await Promise.all(
      [1, 100, 101, 201].map(
        async (seconds) => (await observe({ broken: [before], solved: [after], seconds })).verdict,
      ),
    )
    expect(limits.map((one) => 'verifierTimeoutSec' in one && one.verifierTimeoutSec)).toEqual([300, 300, 600, 1200])
  })
})

const ALL = ['diff_parse', 'determinism', 'oracle_consistency']

async function observe(script: Script, layers = ALL, restless: readonly string[] = []) {
  const lists: (Lists | undefined)[] = []
  const qa = { enabled: true, layers, determinism_runs: 3, oracle_runs: 3 }
  const config = { qa } as unknown as RunConfig
  return { verdict: await observePairs({ config, restless: new Set(restless) }, scripted(script, lists)), lists }
}

/** A trial whose runs show what the script says, graded by what the grader's own rule gives for the lists in force. */
function scripted(script: Script, seen: (Lists | undefined)[]): Trial {
  const tests = { requireFailToPass: script.requireFailToPass ?? true, minFailToPass: 1, failToPassFrom: undefined }
  const subject = { candidate: { id: 'c' }, draft: { plan: { tests } }, solvedEdits: [] }
  return {
    subject: subject as unknown as Trial['subject'],
    observeBase: () => Promise.reject(new Error('not asked for')),
    base: () => reportOf(script.base ?? before),
    blankInput: async () => ({}) as TaskInput,
    finalInput: async ({ lists }) => ({ tests: lists }) as unknown as TaskInput,
    inHidden: () => false,
    sameAsBase: () => false,
    inSource: () => false,
    async observe(input, { state, repeat }) {
      const lists = input.tests as Lists | undefined
      if (state === 'broken') seen.push(lists)
      const shown = script[state][repeat] ?? script[state].at(-1)!
      if (isSkip(shown)) return shown
      const { failToPass, passToPass } = lists ?? { failToPass: [], passToPass: [] }
      const reward = script.reward?.[state] ?? gradeTests(failToPass, passToPass, shown).reward
      const run = { reward, verify: { durationMs: (script.seconds ?? 1) * 1000 } } as StateRun['run']
      return { kind: 'run', report: reportOf(shown), run }
    },
  }
}

const isSkip = (shown: Tests | Skip): shown is Skip => shown.kind === 'skip'

/** The tests, one id more missing in each run. */
function without(tests: Tests, run: number): Tests {
  return Object.fromEntries(Object.entries(tests).filter(([id]) => id !== `t.py::test_${run}`))
}

function reportOf(tests: Tests): TestReport {
  const measured = { exit_codes: [1], cpu_sec: 1, wall_sec: 1 }
  return { schema: 'r2e.tests/1', outcome: 'completed', parse_status: 'ok', tests, unloaded: [], ...measured }
}
