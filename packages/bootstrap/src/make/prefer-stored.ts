import { type EnvironmentBuilder, recipeDigest } from '@r2e/spec'
import { setKey } from '../environment-key.ts'
import type { EnvironmentStore } from '../store/environment-store.ts'

export interface PreferOptions {
  readonly store: Pick<EnvironmentStore, 'preferred'>
  /** Name of the sandbox that recipes run in. */
  readonly sandbox: string
  readonly platform: string
}

/**
 * The same recipes, behind the one that the store prefers for their manifests: what a model mended, or what came after
 * recipes that fail before any tree comes in. So what a tree gets depends on its manifests, and on models alone beside.
 */
export function preferStored(builder: EnvironmentBuilder, options: PreferOptions): EnvironmentBuilder {
  const { store, sandbox, platform } = options
  return {
    version: builder.version,
    async recipes(input) {
      const inferred = await builder.recipes(input)
      if (inferred.length === 0) return inferred
      const stored = await store.preferred(await setKey(inferred, input.tree, { sandbox, platform }))
      if (!stored) return inferred
      const digest = recipeDigest(stored.recipe)
      return [stored.recipe, ...inferred.filter((recipe) => recipeDigest(recipe) !== digest)]
    },
  }
}
