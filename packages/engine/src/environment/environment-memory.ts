import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { digestJson, type Recipe, recipeDigest } from '@r2e/spec'
import { writeDurably } from '../journal/write-durably.ts'

/**
 * Remembers, per set of candidate recipes, which ones do not even build before a tree comes in, so that the next commit
 * with equal dependencies does not wait for them again. What a commit's own tree does to a recipe is not remembered:
 * which recipe a task gets depends on nothing that ran before.
 */
export interface EnvironmentMemory {
  /** The recipes in their order, those known to be broken last. */
  order(recipes: readonly Recipe[]): Promise<readonly Recipe[]>
  /** That these did not build while another of the set did. */
  broken(recipes: readonly Recipe[], broken: readonly Recipe[]): Promise<void>
}

export function openEnvironmentMemory(directory: string, ignore: boolean): EnvironmentMemory {
  const place = (recipes: readonly Recipe[]) => join(directory, `${setKey(recipes)}.json`)
  return {
    async order(recipes) {
      const known = ignore ? [] : await readBroken(place(recipes))
      const isBroken = (recipe: Recipe) => known.includes(recipeDigest(recipe))
      return [...recipes.filter((recipe) => !isBroken(recipe)), ...recipes.filter(isBroken)]
    },
    async broken(recipes, broken) {
      await writeDurably(place(recipes), JSON.stringify({ broken: broken.map(recipeDigest) }))
    },
  }
}

/** Nothing where the file is absent or damaged: it only saves time. */
async function readBroken(path: string): Promise<readonly unknown[]> {
  try {
    const { broken } = JSON.parse(await readFile(path, 'utf8'))
    return Array.isArray(broken) ? broken : []
  } catch {
    return []
  }
}

const setKey = (recipes: readonly Recipe[]) => digestJson(recipes.map(recipeDigest)).slice('sha256:'.length, 24)
