import type { Recipe, RecipeStep, Runner } from '@r2e/spec'
import { buildScript, buildsOfCi } from './ci/build-script.ts'
import type { CiFacts, FindCiFacts } from './ci/ci-facts.ts'
import { imageOfCi } from './ci/image-of-ci.ts'
import { originOf } from './ci/origin-of-facts.ts'
import { packagesOfCi } from './ci/packages-of-ci.ts'

/** Above this number no recipe is added, save the first two; those of the languages are all kept. */
const most = 6
const leastAdded = 2

const buildFile = 'ci-build.sh'
const buildStep: RecipeStep = { run: `sh /r2e/${buildFile}`, network: false }

export interface CiRecipesInput {
  /** What the languages made of the manifests, in order of promise. */
  readonly recipes: readonly Recipe[]
  readonly facts: FindCiFacts
  readonly runner: (recipe: Recipe) => Runner | undefined
  /** Whether the image may be another: not where the user names one. */
  readonly mayChooseImage: boolean
}

/**
 * Recipes with what CI files and Dockerfiles say, in order of promise. Before a recipe stands the same with their
 * packages and variables; before all others one with the newest language version of the tests, where the recipe's own is
 * newer than all of them; after all others the first with the build commands of the job. Each addition is a recipe of its
 * own, so that a package which the image's Debian does not have costs an attempt and not the environment.
 */
export function ciRecipes({ recipes, facts, runner, mayChooseImage }: CiRecipesInput): readonly Recipe[] {
  const noted = recipes.map(
    (recipe): Recipe => ({
      ...recipe,
      origin: [...recipe.origin, ...originOf(facts(recipe.language))],
    }),
  )
  const [first] = noted
  if (first === undefined) return noted
  const furnished = noted.map((recipe) => withSurroundings(recipe, facts(recipe.language), runner(recipe)))
  const best = furnished[0] ?? first
  const aged = mayChooseImage ? withImage(best, facts(first.language)) : undefined
  const built = withBuilds(aged ?? best, facts(first.language))
  const added = [furnished[0], aged, built, ...furnished.slice(1)].filter((recipe) => recipe !== undefined)
  const kept = new Set(added.slice(0, Math.max(leastAdded, most - noted.length)))
  const isKept = (recipe: Recipe | undefined): recipe is Recipe => recipe !== undefined && kept.has(recipe)
  const whole = noted.flatMap((recipe, index) => [...[furnished[index]].filter(isKept), recipe])
  return [...[aged].filter(isKept), ...whole, ...[built].filter(isKept)]
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
    manifests: withFiles(recipe, [...packages, ...env]),
  }
}

function withImage(recipe: Recipe, facts: CiFacts): Recipe | undefined {
  const image = imageOfCi(recipe.baseImage, facts, recipe.language)
  return image && { ...recipe, baseImage: image.value, manifests: withFiles(recipe, [image]) }
}

function withBuilds(recipe: Recipe, facts: CiFacts): Recipe | undefined {
  const builds = buildsOfCi(facts, recipe.language)
  const text = buildScript(builds.map(({ value }) => value))
  const isDone = recipe.project.some(({ run }) => builds.every(({ value }) => value.inner.join(' ') === run))
  if (builds.length === 0 || isDone) return undefined
  return {
    ...recipe,
    files: [...recipe.files, { path: buildFile, text }],
    project: [...recipe.project, buildStep],
    manifests: withFiles(recipe, builds),
  }
}

/** The files that changed the recipe: their content is part of its key. */
function withFiles(recipe: Recipe, facts: readonly { readonly file: string }[]): readonly string[] {
  return [...new Set([...recipe.manifests, ...facts.map(({ file }) => file)])].sort()
}
