import {
  type EnvironmentBuilder,
  type LanguagePack,
  type Recipe,
  type RecipeOptions,
  recipeDigest,
  userError,
} from '@r2e/spec'
import { chooseLanguages } from './choose-language.ts'
import { rememberCiFacts } from './ci/ci-facts.ts'
import { ciRecipes } from './ci-recipes.ts'
import { namedRunner } from './named-runner.ts'

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
  const pack = packs.find(({ name }) => name === recipe.language)
  const runner = options.testCommand && namedRunner(pack, options.testCommand)
  return {
    ...recipe,
    ...(options.baseImage !== undefined && { baseImage: options.baseImage }),
    setup: [...recipe.setup, ...options.setup.map((run) => ({ run, network: true }))],
    ...(options.testCommand && { testCommand: options.testCommand, runner: runner?.name ?? recipe.runner }),
  }
}
