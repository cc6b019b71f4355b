import { type Skip, skip } from '@r2e/spec'
import { recipeDigest } from '../environment/environment-memory.ts'
import type { TaskRun } from '../observe/run-task.ts'
import { renderTask } from '../render/render-task.ts'
import type { TaskInput } from '../render/task-input.ts'
import type { CandidateContext } from './context.ts'
import { failedRun } from './run-failure.ts'
import type { Verdict } from './states.ts'
import type { ProvenTask } from './store-task.ts'
import type { Trial } from './trial.ts'

/** Scores the final task, byte for byte as it is shipped: 1 with its oracle, and nothing for doing nothing. */
export async function proveTask(context: CandidateContext, trial: Trial, verdict: Verdict): Promise<ProvenTask | Skip> {
  const { candidate, recipe } = trial.subject
  const verifierTimeoutSec = verifierLimit(verdict.slowestSec)
  const limits = { verifierTimeoutSec, baselineReward: undefined }
  const draftInput = { ...(await trial.finalInput(verdict, limits)), image: imageOf(context, trial) }
  const score = scorer(context, draftInput)
  const noop = await score('nop', 0)
  const noopFailure = failedRun(candidate.id, 'the untouched task', noop)
  if (noopFailure) return noopFailure
  if (noop.outcome !== 'graded' || noop.reward >= (verdict.failToPass.length > 0 ? Number.MIN_VALUE : 1))
    return skip(candidate.id, 'noop_scores', `doing nothing scores ${noop.outcome === 'graded' ? noop.reward : '?'}`)
  for (let repeat = 0; repeat < context.config.qa.oracle_runs; repeat++) {
    const gold = await score('oracle', repeat)
    const failure = failedRun(candidate.id, 'the solved task', gold)
    if (failure) return failure
    if (gold.outcome !== 'graded' || gold.reward !== 1)
      return skip(candidate.id, 'gold_not_one', `the oracle scores ${gold.outcome === 'graded' ? gold.reward : '?'}`)
  }
  const input: TaskInput = { ...draftInput, baselineReward: noop.reward }
  return {
    kind: 'proven',
    taskId: input.taskId,
    input,
    files: renderTask(input),
    gold: 1,
    noop: noop.reward,
    quarantined: verdict.quarantined,
    runs: verdict.runs + 1 + context.config.qa.oracle_runs,
    evidence: {
      slowest_run_sec: Math.round(verdict.slowestSec * 100) / 100,
      sandbox: context.ports.sandbox?.name,
      recipe: recipe.origin.map(({ fact, file }) => `${file}: ${fact}`),
      fail_to_pass_origin: verdict.origins,
      oracle_durations_ms: noop.outcome === 'graded' ? { ...noop.durations } : {},
    },
  }
}

function scorer(context: CandidateContext, input: TaskInput) {
  const files = renderTask(input)
  const timeoutSec = input.limits.verifierTimeoutSec
  return (state: 'nop' | 'oracle', repeat: number): Promise<TaskRun> =>
    context.observer.observe({ files, state, repeat, timeoutSec })
}

const imageOf = (context: CandidateContext, { subject }: Trial): TaskInput['image'] => ({
  mode: context.ports.sandbox?.name === 'local' ? 'local_only' : 'inline_dockerfile',
  recipeDigest: recipeDigest(subject.recipe),
})

/** Three times the slowest measured run, rounded up to 300 × 2^k, so that small differences give equal bytes. */
export function verifierLimit(slowestSec: number): number {
  let limit = 300
  while (limit < slowestSec * 3) limit *= 2
  return limit
}
