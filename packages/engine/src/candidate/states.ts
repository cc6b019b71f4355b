import { type Classes, classify, limitPassToPass, type Origin } from '@r2e/reward'
import { type Skip, skip, type TestReport } from '@r2e/spec'
import type { CandidateContext } from './context.ts'
import type { StateRun, Trial } from './trial.ts'

/** What the observations of one candidate come to. */
export interface Verdict {
  readonly kind: 'verdict'
  readonly failToPass: readonly string[]
  readonly passToPass: readonly string[]
  readonly quarantined: readonly string[]
  readonly origins: Readonly<Record<string, Origin>>
  readonly runs: number
  /** Seconds, of the slowest run of test.sh. */
  readonly slowestSec: number
}

/**
 * Observes broken and solved, each in fresh sandboxes, and classifies. One run of each comes first: where that shows
 * nothing to pass, the repeats are spared.
 */
export async function classifyStates(context: CandidateContext, trial: Trial): Promise<Verdict | Skip> {
  const { candidate, draft } = trial.subject
  const plan = draft.plan.tests!
  const broken: StateRun[] = []
  const solved: StateRun[] = []
  let classes: Classes | undefined
  for (let repeat = 0; repeat < context.config.qa.determinism_runs; repeat++) {
    for (const [state, runs] of [['broken', broken] as const, ['solved', solved] as const]) {
      const run = await trial.observe(state, repeat)
      if (run.kind === 'skip') return run
      runs.push(run)
    }
    const hadSome = (classes?.failToPass.length ?? 0) > 0
    const sorted = classify({
      base: trial.base(),
      broken: broken.map(({ report }) => report),
      solved: solved.map(({ report }) => report),
      inHidden: trial.inHidden,
      failToPassFrom: plan.failToPassFrom,
    })
    if (sorted.kind === 'infrastructure')
      return skip(candidate.id, 'no_tests_seen', `${sorted.state}: ${sorted.reason} ${sorted.detail}`.trimEnd())
    classes = sorted
    const enough = classes.failToPass.length >= plan.minFailToPass
    if (plan.requireFailToPass && !enough) return tooFew(candidate.id, { classes, hadSome, broken, solved })
  }
  const { failToPass, passToPass, quarantined, regressions, origins } = classes!
  if (regressions.length > 0)
    return skip(candidate.id, 'gold_regresses', `passing without the solution and not with it: ${some(regressions)}`)
  const near = { changedPaths: trial.subject.solvedEdits.map((edit) => edit.path), failToPass }
  return {
    kind: 'verdict',
    failToPass,
    passToPass: limitPassToPass(passToPass, plan.maxPassToPass, near),
    quarantined,
    origins,
    runs: broken.length + solved.length + 1,
    slowestSec: Math.max(...[...broken, ...solved].map(({ run }) => run.verify.durationMs / 1000)),
  }
}

interface Evidence {
  readonly classes: Classes
  readonly hadSome: boolean
  readonly broken: readonly StateRun[]
  readonly solved: readonly StateRun[]
}

function tooFew(id: string, { classes, hadSome, broken, solved }: Evidence): Skip {
  const seen = `${count(broken)} passed without, ${count(solved)} with the solution`
  if (hadSome) return skip(id, 'flaky', `every fail-to-pass test moved between runs: ${some(classes.quarantined)}`)
  return skip(id, 'no_fail_to_pass', `${classes.failToPass.length} fail-to-pass tests; ${seen}`)
}

const count = (runs: readonly StateRun[]) => passed(runs[0]!.report)
const passed = (report: TestReport) => Object.values(report.tests).filter((status) => status === 'PASSED').length
const some = (ids: readonly string[]) =>
  `${ids.slice(0, 3).join(', ')}${ids.length > 3 ? ` and ${ids.length - 3} more` : ''}`
