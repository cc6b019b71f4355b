import { changedLines, diffSimilarity } from '@r2e/reward'
import { type Candidate, type Draft, decodeUtf8, type Recipe, type Skip, skip } from '@r2e/spec'
import { renderTask } from '../render/render-task.ts'
import { applyDraft } from './apply-draft.ts'
import { type CandidateContext, taskIdOf } from './context.ts'
import { leakInText } from './gates.ts'
import { ignoredFile } from './ignored-file.ts'
import { recipesFor } from './recipes.ts'
import type { ProvenTask } from './store-task.ts'
import { taskFrame } from './task-frame.ts'

/**
 * A task graded by similarity: nothing runs. The oracle is printed by the grader's own `git diff`; its score under the
 * task's metric is computed and must be 1. An empty diff scores 0 under every metric.
 */
export async function makeDiffTask(
  context: CandidateContext,
  candidate: Candidate,
  draft: Draft,
): Promise<ProvenTask | Skip> {
  const applied = await applyDraft(context, candidate, draft)
  if (applied.kind === 'skip') return applied
  const { snapshot, tree, solvedEdits } = applied
  const ignored = draft.plan.environment ? await ignoredFile(tree, solvedEdits) : undefined
  if (ignored !== undefined)
    return skip(
      candidate.id,
      'gold_not_one',
      `the solution adds ${ignored}, which git ignores and the grader would not see`,
    )
  const oracle = decodeUtf8(applied.diff)
  const { metric = 'ratio_v07' } = draft.plan.diff ?? {}
  const similarity = metric === 'ratio_v07' ? diffSimilarity : changedLines
  const score = similarity(oracle, oracle)
  if (score.similarity !== 1)
    return skip(candidate.id, 'gold_not_one', `the oracle scores ${score.similarity} (${score.status})`)
  const leak = leakInText(context, candidate.id, draft)
  if (leak) return leak
  const recipe = draft.plan.environment ? await bareRecipe(context, candidate) : undefined
  const input = {
    ...taskFrame(context, candidate, draft),
    recipe,
    validation: 'computed' as const,
    snapshot: recipe && snapshot,
    oracle: recipe && applied.diff,
    baselineReward: similarity(oracle, '').similarity ?? undefined,
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
