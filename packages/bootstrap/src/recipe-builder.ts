import { type EnvironmentBuilder, type LanguagePack, type Recipe, type RecipeOptions, userError } from '@r2e/spec'
import { chooseLanguages } from './choose-language.ts'
import { rememberCiFacts } from './ci/ci-facts.ts'
import { ciRecipes } from './ci-recipes.ts'
import { recipeDigest } from './store/stored-recipe.ts'

/** Part of every environment key: raise it when the same tree may give another recipe. */
export const INFERENCE_VERSION = '4'

/**
 * Recipes from the tree's own manifests, CI files and Dockerfiles, without a model.
 *
 * @throws R2eError `unknown_language` (fault user) where the hinted language has no pack
 */
export function createRecipeBuilder(packs: readonly LanguagePack[]): EnvironmentBuilder {
  const readFacts = rememberCiFacts()
  return {
    version: INFERENCE_VERSION,
    async recipes(input) {
      const { language } = input.options
      const paths = (await input.tree.entries()).map((entry) => entry.path)
      const chosen = chooseLanguages(packs, paths, language)
      if (language !== undefined && chosen.length === 0) {
        const names = packs.map((pack) => pack.name).join(', ')
        throw userError('unknown_language', `there is no language "${language}"`, { fix: `Use one of: ${names}.` })
      }
      const found: Recipe[] = []
      for (const pack of chosen) {
        input.signal?.throwIfAborted()
        found.push(...(await pack.recipes(input)))
      }
      const recipes = ciRecipes({
        recipes: found,
        facts: await readFacts(input.tree),
        runner: (recipe) => packs.flatMap(({ runners }) => runners).find(({ name }) => name === recipe.runner),
        mayChooseImage: input.options.baseImage === undefined,
      })
      return distinct(recipes.map((recipe) => override(recipe, input.options, packs)))
    },
  }
}

/** Recipes that differed in what the user overrides are one: the first stands for all. */
function distinct(recipes: readonly Recipe[]): readonly Recipe[] {
  const digests = recipes.map(recipeDigest)
  return recipes.filter((_, at) => digests.indexOf(digests[at]!) === at)
}

function override(recipe: Recipe, options: RecipeOptions, packs: readonly LanguagePack[]): Recipe {
  const runner = options.testCommand && namedRunner(recipe, options.testCommand, packs)
  return {
    ...recipe,
    ...(options.baseImage !== undefined && { baseImage: options.baseImage }),
    setup: [...recipe.setup, ...options.setup.map((run) => ({ run, network: true }))],
    ...(options.testCommand && { testCommand: options.testCommand, runner: runner ?? recipe.runner }),
  }
}

/** The runner that a word of the user's command names: `python -m unittest` is not read by pytest's report. */
function namedRunner(recipe: Recipe, command: readonly string[], packs: readonly LanguagePack[]): string | undefined {
  const pack = packs.find((candidate) => candidate.name === recipe.language)
  const words = command.flatMap((word) => word.split(/\s+/)).map((word) => word.slice(word.lastIndexOf('/') + 1))
  return pack?.runners.find((runner) => [runner.name, ...(runner.words ?? [])].some((word) => words.includes(word)))
    ?.name
}
