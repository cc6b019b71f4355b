import { type Classes, classify, limitPassToPass } from '@r2e/reward'
import { type JsonObject, type Skip, skip } from '@r2e/spec'
import type { CandidateContext } from './context.ts'
import { doubledLimit } from './doubled-limit.ts'
import type { Lists, StateRun, Trial } from './trial.ts'

/** What the observations of one candidate come to. */
export interface Verdict extends Lists {
  readonly kind: 'verdict'
  readonly quarantined: readonly string[]
  readonly origins: Classes['origins']
  readonly pairs: readonly Pair[]
  readonly verifierTimeoutSec: number
  /** Rewards of the final task with its solution and without; undefined where it was not scored. */
  readonly goldReward: number | undefined
  readonly baselineReward: number | undefined
}

/** Broken and solved, each observed once in a fresh sandbox. */
export interface Pair {
  readonly broken: StateRun
  readonly solved: StateRun
  /** The lists the task carried; the first pair carries none. */
  readonly lists: Lists | undefined
}

/** Pairs beyond the wanted ones before lists that keep moving are given up. */
const MOST_EXTRA = 3

/**
 * Observes pairs until the classes are settled. From the second pair on it is the final task that runs, with the lists
 * found so far: where these stay as they are, the pair is at the same time the proof that the shipped bytes score 1
 * with the oracle and nothing without.
 */
export async function observePairs(context: PairContext, trial: Trial): Promise<Verdict | Skip> {
  const seen: Seen = { moved: [] }
  const outcome = await settlePairs(context, trial, seen)
  if (outcome.kind !== 'skip' || seen.moved.length === 0) return outcome
  return { ...outcome, evidence: { ...outcome.evidence, quarantined: seen.moved } }
}

/** Tests seen to move, which no other task may list either, however this candidate ends. */
interface Seen {
  moved: readonly string[]
}

async function settlePairs(context: PairContext, trial: Trial, seen: Seen): Promise<Verdict | Skip> {
  const { id } = trial.subject.candidate
  const wanted = wantedRuns(context)
  const pairs: Pair[] = []
  let lists: Lists | undefined
  let verifierTimeoutSec = 0
  while (pairs.length < Math.max(wanted.pairs, wanted.proofs + 1) + MOST_EXTRA) {
    const pair = await observePair(trial, { repeat: pairs.length, lists, verifierTimeoutSec })
    if ('kind' in pair) return pair
    pairs.push(pair)
    const classes = classifyPairs(trial, pairs, context.restless)
    if (classes.kind === 'skip') return classes
    seen.moved = classes.quarantined
    const unfit = checkClasses(trial, classes, { pairs, restless: context.restless })
    if (unfit) return unfit
    const current = listsOf(trial, classes)
    lists = current
    if (pairs.length === 1) verifierTimeoutSec = verifierLimit(slowestSec(pairs))
    const proofs = pairs.filter((done) => sameLists(done.lists, current))
    const unproven = checkProofs(id, proofs, current)
    if (unproven) return unproven
    if (pairs.length < wanted.pairs || proofs.length < wanted.proofs) continue
    const { quarantined, origins } = classes
    const [proof] = proofs
    const rewards = { goldReward: proof?.solved.run.reward, baselineReward: proof?.broken.run.reward }
    return { kind: 'verdict', ...current, ...rewards, quarantined, origins, pairs, verifierTimeoutSec }
  }
  return skip(id, 'flaky', `the lists of tests still moved after ${pairs.length} pairs of runs`, {
    statuses: statusesOf(pairs, seen.moved),
  })
}

export type PairContext = Pick<CandidateContext, 'config' | 'restless'>

/**
 * What the layers of `qa` ask for: repeats for determinism, proofs for oracle consistency. A task that is proven anew
 * without tests that moved elsewhere has been through them: one pair shows its final bytes.
 */
export function wantedRuns({ config, restless }: PairContext): { pairs: number; proofs: number } {
  const { enabled, layers, determinism_runs, oracle_runs } = config.qa
  const pairs = enabled && layers.includes('determinism') ? determinism_runs : 1
  const proofs = enabled && layers.includes('oracle_consistency') ? oracle_runs : 0
  return restless.size === 0 ? { pairs, proofs } : { pairs: Math.min(pairs, 2), proofs: Math.min(proofs, 1) }
}

interface PairRequest {
  readonly repeat: number
  readonly lists: Lists | undefined
  readonly verifierTimeoutSec: number
}

async function observePair(trial: Trial, { repeat, lists, verifierTimeoutSec }: PairRequest): Promise<Pair | Skip> {
  const input = lists ? await trial.finalInput({ lists, verifierTimeoutSec }) : await trial.blankInput()
  const broken = await trial.observe(input, { state: 'broken', repeat })
  if (broken.kind === 'skip') return broken
  const solved = await trial.observe(input, { state: 'solved', repeat })
  return solved.kind === 'skip' ? solved : { broken, solved, lists }
}

function classifyPairs(trial: Trial, pairs: readonly Pair[], restless: ReadonlySet<string>): Classes | Skip {
  const { candidate, draft } = trial.subject
  const classes = classify({
    base: trial.base(),
    broken: pairs.map(({ broken }) => broken.report),
    solved: pairs.map(({ solved }) => solved.report),
    inHidden: trial.inHidden,
    sameAsBase: trial.sameAsBase,
    inSource: trial.inSource,
    failToPassFrom: draft.plan.tests!.failToPassFrom,
    restless,
  })
  if (classes.kind === 'classes') return classes
  return skip(candidate.id, 'no_tests_seen', `${classes.state}: ${classes.reason} ${classes.detail}`.trimEnd())
}

/** Whether there is a task in these classes at all. */
function checkClasses(
  trial: Trial,
  classes: Classes,
  { pairs, restless }: { pairs: readonly Pair[]; restless: ReadonlySet<string> },
): Skip | undefined {
  const { candidate, draft } = trial.subject
  const { failToPass, quarantined, regressions } = classes
  const plan = draft.plan.tests!
  if (plan.requireFailToPass && failToPass.length < plan.minFailToPass) {
    if (pairs.length > 1 || restless.size > 0)
      return skip(candidate.id, 'flaky', `too few fail-to-pass tests are steady; these moved: ${some(quarantined)}`, {
        statuses: statusesOf(pairs, quarantined),
      })
    const [without, withSolution] = [passed(pairs[0]!.broken), passed(pairs[0]!.solved)]
    const { unloaded } = pairs[0]!.solved.report
    const lost = unloaded.length > 0 ? `; not loaded even with it: ${some(unloaded)}` : ''
    const seen = `${without} tests pass without the solution, ${withSolution} with it${lost}`
    const failing = Object.keys(pairs[0]!.solved.report.tests).filter(
      (id) => pairs[0]!.solved.report.tests[id] !== 'PASSED',
    )
    return skip(candidate.id, 'no_fail_to_pass', `${failToPass.length} fail-to-pass tests; ${seen}`, {
      statuses: statusesOf(pairs, failing),
      unloaded: [...unloaded],
      ...(lost !== '' && { log: pairs[0]!.solved.run.log }),
    })
  }
  // One pair cannot tell a broken test from one that moves.
  if (regressions.length === 0 || pairs.length < 2) return undefined
  return skip(candidate.id, 'gold_regresses', `passing without the solution and not with it: ${some(regressions)}`, {
    statuses: statusesOf(pairs, regressions),
  })
}

const MOST_SHOWN = 50

/** What each run said of these tests, for the ledger: without the solution and with it, pair by pair. */
function statusesOf(pairs: readonly Pair[], ids: readonly string[]): JsonObject {
  const row = (id: string) => ({
    broken: pairs.map(({ broken }) => broken.report.tests[id] ?? 'ABSENT'),
    solved: pairs.map(({ solved }) => solved.report.tests[id] ?? 'ABSENT'),
  })
  return Object.fromEntries(ids.slice(0, MOST_SHOWN).map((id) => [id, row(id)]))
}

/** Gold scores 1; doing nothing scores 0 wherever there is something to do, and less than 1 in any case. */
function checkProofs(id: string, proofs: readonly Pair[], { failToPass }: Lists): Skip | undefined {
  for (const { broken, solved } of proofs) {
    if (solved.run.reward !== 1) return skip(id, 'gold_not_one', `the oracle scores ${solved.run.reward}`)
    const scores = broken.run.reward
    if (failToPass.length > 0 ? scores > 0 : scores >= 1)
      return skip(id, 'noop_scores', `doing nothing scores ${scores}`)
  }
  return undefined
}

function listsOf(trial: Trial, { failToPass, passToPass }: Classes): Lists {
  const { solvedEdits, draft } = trial.subject
  const near = { changedPaths: solvedEdits.map((edit) => edit.path), failToPass }
  return { failToPass, passToPass: limitPassToPass(passToPass, draft.plan.tests!.maxPassToPass, near) }
}

function sameLists(a: Lists | undefined, b: Lists): boolean {
  return a !== undefined && sameIds(a.failToPass, b.failToPass) && sameIds(a.passToPass, b.passToPass)
}

const sameIds = (a: readonly string[], b: readonly string[]) => a.length === b.length && a.every((id, i) => id === b[i])

export function slowestSec(pairs: readonly Pair[]): number {
  return (
    Math.max(...pairs.flatMap(({ broken, solved }) => [broken, solved]).map(({ run }) => run.verify.durationMs)) / 1000
  )
}

/** Three times the slowest measured run, rounded up to 300 × 2^k. */
const verifierLimit = (slowest: number) => doubledLimit(300, slowest * 3)

const passed = ({ report }: StateRun) => Object.values(report.tests).filter((status) => status === 'PASSED').length
const some = (ids: readonly string[]) =>
  `${ids.slice(0, 3).join(', ')}${ids.length > 3 ? ` and ${ids.length - 3} more` : ''}`
