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

/** What a recipe is built on: the same recipe on another base is another environment. */
export interface KeyPlace {
  readonly sandbox: string
  readonly platform: string
  /** What the base image is here and now; undefined where its name says all. */
  readonly base: string | undefined
}

/** Names a proven recipe in the store. */
export async function recipeKey(recipe: Recipe, tree: Tree, place: KeyPlace): Promise<string> {
  const environment = await environmentKey(recipe, tree)
  return shortDigest({ environment, sandbox: place.sandbox, platform: place.platform, base: place.base ?? null })
}

/** Names a set of inferred recipes in their order: trees with equal manifests and options share it. */
export async function setKey(recipes: readonly Recipe[], tree: Tree, place: Omit<KeyPlace, 'base'>): Promise<string> {
  const environments = await Promise.all(recipes.map((recipe) => environmentKey(recipe, tree)))
  return shortDigest({ environments, sandbox: place.sandbox, platform: place.platform })
}

const shortDigest = (value: JsonObject) => digestJson(value).slice('sha256:'.length, 'sha256:'.length + 24)
