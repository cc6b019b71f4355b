import type { Candidate, Recipe } from '@r2e/spec'
import { recipeOptions } from '../environment/recipe-options.ts'
import type { CandidateContext } from './context.ts'

/** The recipes that the manifests of the candidate's base suggest, in order of promise. */
export async function recipesFor(context: CandidateContext, candidate: Candidate): Promise<readonly Recipe[]> {
  const { config, ports, repository, options } = context
  return ports.builder.recipes({
    tree: await repository.tree(candidate.base),
    repository,
    options: recipeOptions(config.bootstrap),
    signal: options.signal,
  })
}
