import type { Recipe, Runner } from '@r2e/spec'
import type { CiFacts, FindCiFacts } from './ci/ci-facts.ts'
import { packagesOfCi } from './ci/debian-packages.ts'
import { imageOfCi } from './ci/image-of-ci.ts'
import { originOf } from './ci/origin-of-facts.ts'

/** Above this number no recipe is added, save the first two; those of the languages are all kept. */
const most = 6
const leastAdded = 2

export interface CiRecipesInput {
  /** What the languages made of the manifests, in order of promise. */
  readonly recipes: readonly Recipe[]
  readonly facts: FindCiFacts
  readonly runner: (recipe: Recipe) => Runner | undefined
  /** Whether the image may be another: not where the user names one. */
  readonly mayChooseImage: boolean
}

/**
 * Recipes with what CI files and Dockerfiles say. Their facts are of another machine, and may be wrong here: a package that
 * the image's Debian does not have, a version that is no longer the newest. So what a language made of the manifests comes
 * first, as it was (a run that validates nothing takes it unseen), and behind it the same with what CI adds, for where it
 * does not build: its packages and variables, then, behind the first recipe alone, the newest version that CI tests, where
 * the recipe's own is newer. Each is made from the plain recipe, so that one wrong fact costs one attempt.
 */
export function ciRecipes({ recipes, facts, runner, mayChooseImage }: CiRecipesInput): readonly Recipe[] {
  const groups = recipes.map((recipe, index) => {
    const known = facts(recipe.language)
    const noted = { ...recipe, origin: [...recipe.origin, ...originOf(known)] }
    const furnished = withSurroundings(noted, known, runner(recipe))
    const aged = mayChooseImage && index === 0 ? withImage(noted, known) : undefined
    return { noted, added: [furnished, aged].filter((one) => one !== undefined) }
  })
  const kept = new Set(groups.flatMap(({ added }) => added).slice(0, Math.max(leastAdded, most - recipes.length)))
  return groups.flatMap(({ noted, added }) => [noted, ...added.filter((recipe) => kept.has(recipe))])
}

function withSurroundings(recipe: Recipe, facts: CiFacts, runner: Runner | undefined): Recipe | undefined {
  const packages = packagesOfCi(facts, recipe.language, recipe.system)
  const taken = [recipe.testEnv, recipe.env, runner?.env ?? {}]
  const env = facts.env.filter(({ value }) => !taken.some((names) => Object.hasOwn(names, value.name)))
  if (packages.length === 0 && env.length === 0) return undefined
  return {
    ...recipe,
    system: [...new Set([...recipe.system, ...packages.map(({ value }) => value)])].sort(),
    testEnv: { ...recipe.testEnv, ...Object.fromEntries(env.map(({ value }) => [value.name, value.value])) },
  }
}

function withImage(recipe: Recipe, facts: CiFacts): Recipe | undefined {
  const baseImage = imageOfCi(recipe, facts)
  return baseImage === undefined ? undefined : { ...recipe, baseImage }
}
