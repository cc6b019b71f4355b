import { diffSimilarity } from '@r2e/reward'
import { type Candidate, type Draft, decodeUtf8, type Recipe, type Skip, skip } from '@r2e/spec'
import { applySolution } from '../render/apply-solution.ts'
import { isTreeFile } from '../render/path-order.ts'
import { renderTask } from '../render/render-task.ts'
import { snapshotTree } from '../render/snapshot.ts'
import { type CandidateContext, taskIdOf } from './context.ts'
import { leakInText } from './gates.ts'
import { recipesFor } from './recipes.ts'
import type { ProvenTask } from './store-task.ts'
import { taskFrame } from './task-frame.ts'

/**
 * A task graded by similarity: nothing runs. The oracle is printed by the grader's own `git diff`, its score is computed
 * and must be 1, and doing nothing must score 0.
 */
export async function makeDiffTask(
  context: CandidateContext,
  candidate: Candidate,
  draft: Draft,
): Promise<ProvenTask | Skip> {
  const tree = await context.repository.tree(candidate.base)
  const snapshot = await snapshotTree(tree, draft.setup)
  const applied = await applySolution(snapshot, draft.solution, context.options.signal)
  if (!applied.ok) return skip(candidate.id, 'patch_does_not_apply', applied.reason)
  const misfit = applied.edits.find((edit) => edit.kind === 'write' && !isTreeFile(edit))
  if (misfit) return skip(candidate.id, 'patch_does_not_apply', `no file system holds ${misfit.path.slice(0, 200)}`)
  const oracle = decodeUtf8(applied.diff)
  const score = diffSimilarity(oracle, oracle)
  if (score.similarity !== 1)
    return skip(candidate.id, 'gold_not_one', `the oracle scores ${score.similarity} (${score.status})`)
  const leak = leakInText(context, candidate.id, draft)
  if (leak) return leak
  const recipe = draft.plan.environment ? await bareRecipe(context, candidate) : undefined
  const input = {
    ...taskFrame(context, candidate, draft),
    recipe,
    validation: 'verified' as const,
    snapshot: recipe && snapshot,
    oracle: recipe && applied.diff,
    baselineReward: diffSimilarity(oracle, '').similarity ?? undefined,
  }
  return {
    kind: 'proven',
    taskId: taskIdOf(context.repository, candidate),
    input,
    files: renderTask(input),
    gold: 1,
    noop: input.baselineReward,
    quarantined: [],
    runs: 0,
    evidence: { oracle_lines: score.oracle_lines },
  }
}

/** Only the tree and git: similarity needs none of the project's dependencies, and what is not needed cannot break. */
async function bareRecipe(context: CandidateContext, candidate: Candidate): Promise<Recipe> {
  const { bootstrap } = context.config
  const [first] = await recipesFor(context, candidate)
  return {
    schema: 'r2e.recipe/1',
    language: first?.language ?? 'none',
    baseImage: first?.baseImage ?? bootstrap.base_image ?? 'debian:trixie-slim',
    system: [],
    env: {},
    files: [],
    dependencies: [],
    setup: bootstrap.setup.map((run) => ({ run, network: true })),
    project: [],
    runner: 'none',
    suite: [],
    testEnv: {},
    manifests: [],
    origin: [],
  }
}
