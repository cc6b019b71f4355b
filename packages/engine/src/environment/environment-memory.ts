import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { digestJson, type JsonObject, type Recipe } from '@r2e/spec'
import { writeDurably } from '../journal/write-durably.ts'

/**
 * Remembers, per set of candidate recipes, which one worked, so that the next commit with equal dependencies starts
 * there. Only an order of trials: whatever is taken is built and observed again.
 */
export interface EnvironmentMemory {
  order(recipes: readonly Recipe[]): Promise<readonly Recipe[]>
  worked(recipes: readonly Recipe[], recipe: Recipe): Promise<void>
}

export function openEnvironmentMemory(directory: string, ignore: boolean): EnvironmentMemory {
  const place = (recipes: readonly Recipe[]) => join(directory, `${setKey(recipes)}.json`)
  return {
    async order(recipes) {
      const best = ignore ? undefined : await readBest(place(recipes))
      const first = recipes.filter((recipe) => recipeDigest(recipe) === best)
      return [...first, ...recipes.filter((recipe) => !first.includes(recipe))]
    },
    async worked(recipes, recipe) {
      await writeDurably(place(recipes), JSON.stringify({ recipe: recipeDigest(recipe) }))
    },
  }
}

/** Nothing where the file is absent or damaged: it only saves time. */
async function readBest(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8')).recipe
  } catch {
    return undefined
  }
}

/** Digest of what is built; where it was inferred from does not count. */
export function recipeDigest(recipe: Recipe): string {
  const { origin: _origin, ...built } = recipe
  return digestJson(built as unknown as JsonObject)
}

const setKey = (recipes: readonly Recipe[]) => digestJson(recipes.map(recipeDigest)).slice('sha256:'.length, 24)
