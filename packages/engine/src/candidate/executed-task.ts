import { type Candidate, type Draft, type Skip, skip } from '@r2e/spec'
import { applySolution } from '../render/apply-solution.ts'
import { snapshotTree } from '../render/snapshot.ts'
import type { CandidateContext } from './context.ts'
import { leakInText } from './gates.ts'
import { proveTask } from './prove-task.ts'
import { recipesFor } from './recipes.ts'
import { classifyStates } from './states.ts'
import type { ProvenTask } from './store-task.ts'
import { timed } from './timed.ts'
import { openTrial, type Trial } from './trial.ts'

/**
 * A task graded by tests. For each recipe in order of promise: build, observe the base; the first that shows a test is
 * taken. Then broken and solved, classes, the final task, and its proof with oracle and without.
 */
export async function makeExecutedTask(
  context: CandidateContext,
  candidate: Candidate,
  draft: Draft,
): Promise<ProvenTask | Skip> {
  const { id } = candidate
  const tree = await context.repository.tree(candidate.base)
  const snapshot = await snapshotTree(tree, draft.setup)
  const applied = await applySolution(snapshot, draft.solution, context.options.signal)
  if (!applied.ok) return skip(id, 'patch_does_not_apply', applied.reason)
  const recipes = await recipesFor(context, candidate)
  let failure: Skip = skip(
    id,
    'environment_failed',
    'no language was recognised, or no manifest that says how to install',
  )
  for (const recipe of await context.environments.order(recipes)) {
    const trial = openTrial(context, { candidate, draft, recipe, snapshot, tree, solvedEdits: applied.edits })
    const base = await timed(context, { id, stage: 'environment', detail: recipe.baseImage }, () => trial.observeBase())
    if (base.kind === 'skip') {
      failure = base
      continue
    }
    await context.environments.worked(recipes, recipe)
    return finish({ context, candidate, draft }, trial)
  }
  return failure
}

interface Subject {
  readonly context: CandidateContext
  readonly candidate: Candidate
  readonly draft: Draft
}

async function finish({ context, candidate, draft }: Subject, trial: Trial): Promise<ProvenTask | Skip> {
  const { id } = candidate
  const verdict = await timed(context, { id, stage: 'observe' }, () => classifyStates(context, trial))
  if (verdict.kind === 'skip') return verdict
  const leak = leakInText(context, id, draft)
  if (leak) return leak
  return timed(context, { id, stage: 'check' }, () => proveTask(context, trial, verdict))
}
