import { digestOf, type Recipe, type RecipeFailure, type RecipeProof, recipeDigest } from '@r2e/spec'
import { recipeKey } from '../environment-key.ts'
import { proofFacts, type StoredRecipe } from '../store/stored-recipe.ts'
import type { BootstrapEvent } from './bootstrap-event.ts'
import type { MakingSubject, MakingTools } from './try-recipes.ts'

export interface ProofRequest {
  readonly recipe: Recipe
  readonly strategy: 'recipe' | 'agent'
  readonly number: number
  /** What showed that the recipe works on this tree; absent where nothing did yet. */
  readonly attempt?: RecipeProof | undefined
}

export interface ProvenRecipe {
  readonly kind: 'found'
  readonly stored: StoredRecipe
  readonly proof: RecipeProof
}

/**
 * Builds a recipe from nothing and runs the whole suite twice, each time in a fresh sandbox. A recipe that was proven so
 * for equal manifests on the same base needs no other proof than that it works on this tree.
 */
export async function* proveAnew(
  tools: MakingTools,
  subject: MakingSubject,
  request: ProofRequest,
): AsyncGenerator<BootstrapEvent, ProvenRecipe | RecipeFailure> {
  const { recipe, number, attempt } = request
  const { tree, repository, log, signal } = subject
  const known = attempt && !tools.force ? await tools.store.recipe(await keyOf(tools, subject, recipe)) : undefined
  if (known && attempt) {
    const { runs, unstable } = known.proof
    yield await log.event(proofEnd(number, { known: true, seconds: 0, runs, unstable }))
    return { kind: 'found', stored: known, proof: attempt }
  }
  const started = performance.now()
  yield await log.event({ type: 'proof-start', recipe: number })
  const forget = async (image: string | undefined) => image !== undefined && (await tools.sandbox.remove(image))
  let proof: RecipeProof | RecipeFailure
  try {
    proof = await tools.prover.prove(recipe, { tree, repository, runs: 2, fresh: true, signal })
  } catch (error) {
    await forget(attempt?.image)
    throw error
  }
  const seconds = Math.round((performance.now() - started) / 100) / 10
  if (proof.kind === 'failure') {
    await forget(attempt?.image)
    const { reason, detail, step } = proof
    yield await log.event({ type: 'proof-end', recipe: number, seconds, ok: false, reason, detail, step })
    return proof
  }
  if (attempt?.image !== proof.image) await forget(attempt?.image)
  const stored = await storedProof(tools, subject, { ...request, proof })
  await tools.store.saveRecipe(stored)
  const { runs, unstable } = stored.proof
  yield await log.event(proofEnd(number, { known: false, seconds, runs, unstable }))
  return { kind: 'found', stored, proof }
}

interface ProofSeen {
  readonly known: boolean
  readonly seconds: number
  readonly runs: readonly { readonly seen: number; readonly passed: number }[]
  readonly unstable: Readonly<Record<string, unknown>>
}

function proofEnd(recipe: number, { known, seconds, runs, unstable }: ProofSeen): BootstrapEvent {
  const counts = runs.map(({ seen, passed }) => ({ seen, passed }))
  return { type: 'proof-end', recipe, seconds, ok: true, known, runs: counts, unstable: Object.keys(unstable) }
}

async function keyOf({ sandbox }: MakingTools, { tree, place }: MakingSubject, recipe: Recipe): Promise<string> {
  const base = await sandbox.identity?.(recipe.baseImage)
  return await recipeKey(recipe, tree, { sandbox: sandbox.name, platform: place.options.platform, base })
}

async function storedProof(
  tools: MakingTools,
  subject: MakingSubject,
  { recipe, strategy, proof }: ProofRequest & { readonly proof: RecipeProof },
): Promise<StoredRecipe> {
  const key = await keyOf(tools, subject, recipe)
  return {
    key,
    recipe,
    dockerfile: proof.dockerfile,
    proof: {
      schema: 'r2e.proof/1',
      key,
      recipe: recipeDigest(recipe),
      dockerfile: digestOf(proof.dockerfile),
      strategy,
      proven_at: tools.now().toISOString(),
      repo: subject.repository.url,
      commit: subject.tree.commit,
      sandbox: tools.sandbox.name,
      platform: subject.place.options.platform,
      base_image: recipe.baseImage,
      base_identity: (await tools.sandbox.identity?.(recipe.baseImage)) ?? null,
      build_sec: proof.buildSec,
      toolchain: proof.toolchain ?? {},
      packages: proof.packages ?? [],
      ...proofFacts(proof),
    },
  }
}
