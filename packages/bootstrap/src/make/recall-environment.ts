import type { EnvironmentPlace } from '../store/environment-place.ts'
import type { EnvironmentRecord } from '../store/environment-record.ts'
import type { EnvironmentStore } from '../store/environment-store.ts'
import type { ImageKeeper } from './try-recipes.ts'

/**
 * The stored environment of a commit, where it still stands: its recipe is proven, its image is here, and the base that it
 * was proven on is what that name means now, or is not here to be asked.
 */
export async function recallEnvironment(
  { store, sandbox }: { readonly store: EnvironmentStore; readonly sandbox: ImageKeeper },
  place: EnvironmentPlace,
): Promise<EnvironmentRecord | undefined> {
  const record = await store.find(place)
  const stored = record && (await store.recipe(record.extra.key))
  if (!record || !stored || stored.proof.sandbox !== sandbox.name) return undefined
  const base = await sandbox.identity?.(stored.recipe.baseImage)
  if (base !== undefined && base !== stored.proof.base_identity) return undefined
  if (!(await sandbox.has(record.image_tag))) return undefined
  await store.touch(place)
  return record
}
