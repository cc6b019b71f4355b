import { type Recipe, type Skip, skip } from '@r2e/spec'
import { isBeforeTree } from '../environment/is-before-tree.ts'
import type { CandidateContext } from './context.ts'
import { recipesFor } from './recipes.ts'
import { timed } from './timed.ts'
import { openTrial, type Trial, type TrialSubject } from './trial.ts'

/** The first recipe, in order of promise, that builds on this snapshot and in which a test of the base passes. */
export async function findEnvironment(
  context: CandidateContext,
  subject: Omit<TrialSubject, 'recipe'>,
): Promise<Trial | Skip> {
  const { id } = subject.candidate
  const recipes = await recipesFor(context, subject.candidate)
  let failure: Skip = skip(
    id,
    'environment_failed',
    'no manifest of a known language says how to install and test this tree',
  )
  const broken: Recipe[] = []
  for (const recipe of await context.environments.order(recipes)) {
    const trial = openTrial(context, { ...subject, recipe })
    if (subject.draft.plan.tests?.skipValidation) return trial
    const base = await timed(context, { id, stage: 'environment', detail: recipe.baseImage }, () => trial.observeBase())
    if (base.kind === 'run') {
      if (broken.length > 0) await context.environments.broken(recipes, broken)
      return trial
    }
    failure = base
    if (base.evidence?.step !== undefined && isBeforeTree(recipe, String(base.evidence.step))) broken.push(recipe)
  }
  return failure
}
