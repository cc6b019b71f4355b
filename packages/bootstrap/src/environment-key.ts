import { type Digest, digestJson, type JsonObject, type Recipe, type Tree } from '@r2e/spec'
import { INFERENCE_VERSION } from './recipe-builder.ts'

/**
 * Names an environment: the recipe with all its overrides, the content of the manifests it was made from, and the version
 * of the inference. Trees with equal dependency files share a key; a changed lock gives another.
 */
export async function environmentKey(recipe: Recipe, tree: Tree): Promise<Digest> {
  const blobs = new Map((await tree.entries()).map((entry) => [entry.path, entry.blob]))
  const manifests = Object.fromEntries(recipe.manifests.map((path) => [path, blobs.get(path) ?? '']))
  const { origin: _shownOnly, ...built } = recipe
  return digestJson({ inference: INFERENCE_VERSION, recipe: built as unknown as JsonObject, manifests })
}
