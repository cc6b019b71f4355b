import { type Candidate, type Draft, recipeDigest, type Skip } from '@r2e/spec'
import { renderTask } from '../render/render-task.ts'
import type { TaskInput } from '../render/task-input.ts'
import { applyDraft } from './apply-draft.ts'
import type { CandidateContext } from './context.ts'
import { findEnvironment } from './find-environment.ts'
import { leakInText } from './gates.ts'
import { observePairs, slowestSec, type Verdict, wantedRuns } from './observe-pairs.ts'
import type { ProvenTask } from './store-task.ts'
import { timed } from './timed.ts'
import type { Trial } from './trial.ts'

/**
 * A task graded by tests. For each recipe in order of promise: build, observe the base; the first that shows a test is
 * taken. Then broken and solved in pairs, until classes and proof stand.
 */
export async function makeExecutedTask(
  context: CandidateContext,
  candidate: Candidate,
  draft: Draft,
): Promise<ProvenTask | Skip> {
  const { id } = candidate
  const leak = leakInText(context, id, draft)
  if (leak) return leak
  const applied = await applyDraft(context, candidate, draft)
  if (applied.kind === 'skip') return applied
  await using session = context.observer.session(context.options.signal)
  const trial = await findEnvironment(context, { ...applied, candidate, draft, session })
  if (trial.kind === 'skip') return trial
  if (draft.plan.tests!.skipValidation) return await unverifiedTask(context, trial)
  const verdict = await timed(context, { id, stage: 'observe' }, () => observePairs(context, trial))
  return verdict.kind === 'skip' ? verdict : await provenTask(context, trial, verdict)
}

async function provenTask(context: CandidateContext, trial: Trial, verdict: Verdict): Promise<ProvenTask> {
  const { pairs, verifierTimeoutSec, goldReward, baselineReward } = verdict
  const wanted = wantedRuns(context)
  const input: TaskInput = {
    ...(await trial.finalInput({ lists: verdict, verifierTimeoutSec })),
    image: imageOf(context, trial),
    validation: wanted.pairs > 1 && wanted.proofs > 0 ? 'verified' : 'unverified',
    baselineReward,
  }
  return {
    kind: 'proven',
    taskId: input.taskId,
    input,
    files: renderTask(input),
    gold: goldReward,
    noop: baselineReward,
    quarantined: verdict.quarantined,
    runs: 1 + 2 * pairs.length,
    evidence: {
      sandbox: context.ports.sandbox?.name,
      slowest_run_sec: Math.round(slowestSec(pairs) * 100) / 100,
      durations_ms: pairs.map(({ broken, solved }) => ({
        broken: { ...broken.run.durations },
        solved: { ...solved.run.durations },
      })),
      recipe: trial.subject.recipe.origin.map(({ fact, file }) => `${file}: ${fact}`),
      fail_to_pass_origin: verdict.origins,
    },
  }
}

/** `skip_validation`: nothing was run, so no test is known and the task says that it is unverified. */
async function unverifiedTask(context: CandidateContext, trial: Trial): Promise<ProvenTask> {
  const blank = await trial.blankInput()
  const input: TaskInput = { ...blank, image: imageOf(context, trial), validation: 'unverified' }
  return {
    kind: 'proven',
    taskId: input.taskId,
    input,
    files: renderTask(input),
    gold: undefined,
    noop: undefined,
    quarantined: [],
    runs: 0,
    evidence: {},
  }
}

const imageOf = (context: CandidateContext, { subject }: Trial): TaskInput['image'] => ({
  mode: context.ports.sandbox?.name === 'local' ? 'local_only' : 'inline_dockerfile',
  recipeDigest: recipeDigest(subject.recipe),
})
