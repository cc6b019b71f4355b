import type { Recipe } from '@r2e/spec'
import { BASE_ARCHIVE } from '../render/dockerfile-steps.ts'

/** Whether a step of a build stands before the tree comes in, so that it fails for every commit of equal manifests. */
export function isBeforeTree(recipe: Recipe, step: string): boolean {
  return !step.includes(BASE_ARCHIVE) && !recipe.project.some(({ run }) => step.includes(run))
}
