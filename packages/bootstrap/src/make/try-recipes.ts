import {
  type EnvironmentBuilder,
  type EnvironmentMender,
  type FailedRecipe,
  type LanguagePack,
  type Recipe,
  type RecipeFailure,
  type RecipeOptions,
  type RecipeProof,
  type RecipeProver,
  type Repository,
  recipeDigest,
  type SandboxProvider,
  type Tree,
} from '@r2e/spec'
import { setKey } from '../environment-key.ts'
import type { EnvironmentPlace } from '../store/environment-place.ts'
import type { EnvironmentStore } from '../store/environment-store.ts'
import type { StoredRecipe } from '../store/stored-recipe.ts'
import type { AttemptsLog } from './attempts-log.ts'
import type { BootstrapEvent, RecipeFacts, RecipeSource } from './bootstrap-event.ts'
import { proveAnew } from './prove-anew.ts'

/** What of a sandbox is asked while no code runs in it. */
export type ImageKeeper = Pick<SandboxProvider, 'name' | 'has' | 'tag' | 'remove' | 'identity'>

/** What makes an environment. */
export interface MakingTools {
  readonly builder: EnvironmentBuilder
  readonly languages: readonly LanguagePack[]
  readonly prover: RecipeProver
  readonly sandbox: ImageKeeper
  readonly mender?: EnvironmentMender | undefined
  /** The model of the mender, and what its calls cost so far; undefined where the price is not known. */
  readonly model?: { readonly name: string; costUsd(): number | undefined } | undefined
  readonly store: EnvironmentStore
  readonly options: RecipeOptions
  /** Take nothing that the store holds. */
  readonly force: boolean
  /** Prove this one again, whatever the manifests suggest. */
  readonly recipe?: { readonly recipe: Recipe; readonly strategy: 'recipe' | 'agent' } | undefined
  readonly now: () => Date
  readonly signal: AbortSignal
}

/** What an environment is made of. */
export interface MakingSubject {
  readonly tree: Tree
  readonly repository: Repository
  readonly place: EnvironmentPlace
  readonly log: AttemptsLog
  readonly signal: AbortSignal
}

export interface FoundRecipe {
  readonly kind: 'found'
  readonly stored: StoredRecipe
  /** Of this tree. */
  readonly proof: RecipeProof
  /** Turns of the model. */
  readonly iterations: number
}

export interface NoRecipe {
  readonly kind: 'none'
  readonly failed: readonly FailedRecipe[]
  /** How mending ended, where it was tried. */
  readonly mending: string | undefined
}

interface Choice {
  readonly recipe: Recipe
  readonly source: RecipeSource
  readonly strategy: 'recipe' | 'agent'
}

/** The first recipe that works, proven. */
export async function* tryRecipes(
  tools: MakingTools,
  subject: MakingSubject,
): AsyncGenerator<BootstrapEvent, FoundRecipe | NoRecipe> {
  const { tree, repository, place, log, signal } = subject
  if (tools.recipe) return yield* proveGiven(tools, subject, { ...tools.recipe, source: 'stored' })
  const inferred = await tools.builder.recipes({ tree, repository, options: tools.options, signal })
  const set = await setOf(tools, subject, inferred)
  const choices = await inOrder(tools, { place, set, inferred })
  for (const [at, { recipe, source }] of choices.entries())
    yield await log.event({
      type: 'recipe-inferred',
      recipe: at + 1,
      source,
      differs_in: differences(choices[0]!.recipe, recipe),
      ...factsOf(recipe),
    })
  const failed: FailedRecipe[] = []
  for (const [at, choice] of choices.entries()) {
    const found = yield* tryOne(tools, subject, { choice, number: at + 1 })
    if (found.kind === 'found') {
      const certain = failed.length > 0 && failed.every(({ failure }) => failure.beforeTree)
      if (set && (certain || choice.strategy === 'agent')) await tools.store.savePreferred(set, found.stored.key)
      return found
    }
    failed.push({ recipe: choice.recipe, failure: found })
    await log.failed(at + 1, choice.recipe, found)
  }
  return yield* mend(tools, subject, { failed, set })
}

async function* proveGiven(
  tools: MakingTools,
  subject: MakingSubject,
  choice: Choice,
): AsyncGenerator<BootstrapEvent, FoundRecipe | NoRecipe> {
  const { recipe, source } = choice
  yield await subject.log.event({ type: 'recipe-inferred', recipe: 1, source, differs_in: [], ...factsOf(recipe) })
  const found = yield* proveAnew(tools, subject, { ...choice, number: 1 })
  if (found.kind === 'found') return { ...found, iterations: 0 }
  await subject.log.failed(1, recipe, found)
  return { kind: 'none', failed: [{ recipe, failure: found }], mending: undefined }
}

async function* tryOne(
  tools: MakingTools,
  subject: MakingSubject,
  { choice, number }: { readonly choice: Choice; readonly number: number },
): AsyncGenerator<BootstrapEvent, FoundRecipe | RecipeFailure> {
  const { tree, repository, log, signal } = subject
  const { recipe } = choice
  const started = performance.now()
  yield await log.event({ type: 'attempt-start', recipe: number, base_image: recipe.baseImage })
  const attempt = await tools.prover.prove(recipe, { tree, repository, runs: 1, fresh: false, signal })
  const seconds = Math.round((performance.now() - started) / 100) / 10
  if (attempt.kind === 'failure') {
    const { reason, detail, step } = attempt
    yield await log.event({ type: 'attempt-end', recipe: number, seconds, ok: false, reason, detail, step })
    return attempt
  }
  const statuses = Object.values(attempt.reports[0]?.tests ?? {})
  const passed = statuses.filter((status) => status === 'PASSED').length
  yield await log.event({ type: 'attempt-end', recipe: number, seconds, ok: true, seen: statuses.length, passed })
  const found = yield* proveAnew(tools, subject, { ...choice, number, attempt })
  return found.kind === 'found' ? { ...found, iterations: 0 } : found
}

async function* mend(
  tools: MakingTools,
  subject: MakingSubject,
  { failed, set }: { readonly failed: readonly FailedRecipe[]; readonly set: string | undefined },
): AsyncGenerator<BootstrapEvent, FoundRecipe | NoRecipe> {
  const { mender, options, store } = tools
  if (!mender) return { kind: 'none', failed, mending: undefined }
  const { tree, repository, log, signal } = subject
  const { transcript } = log
  const started = performance.now()
  yield await log.event({ type: 'mend-start', transcript })
  const outcome = await mender.mend({ tree, repository, options, failed, transcript, signal })
  const { kind, iterations } = outcome
  const detail = outcome.kind === 'recipe' ? `a recipe on ${outcome.recipe.baseImage}` : outcome.detail
  const seconds = Math.round((performance.now() - started) / 100) / 10
  yield await log.event({ type: 'mend-end', outcome: kind, detail, iterations, seconds })
  if (outcome.kind !== 'recipe') return { kind: 'none', failed, mending: `${kind}: ${detail}` }
  const { recipe } = outcome
  const number = failed.length + 1
  const differs_in = failed[0] ? differences(failed[0].recipe, recipe) : []
  yield await log.event({ type: 'recipe-inferred', recipe: number, source: 'agent', differs_in, ...factsOf(recipe) })
  const found = yield* proveAnew(tools, subject, { recipe, strategy: 'agent', number })
  if (found.kind === 'found') {
    if (set) await store.savePreferred(set, found.stored.key)
    return { ...found, iterations }
  }
  await log.failed(number, recipe, found)
  return { kind: 'none', failed: [...failed, { recipe, failure: found }], mending: 'a recipe that could not be proven' }
}

/** Where no manifest says anything there is no set: trees would share it that have nothing in common. */
async function setOf(
  { sandbox }: MakingTools,
  { tree, place }: MakingSubject,
  inferred: readonly Recipe[],
): Promise<string | undefined> {
  if (inferred.length === 0) return undefined
  return await setKey(inferred, tree, { sandbox: sandbox.name, platform: place.options.platform })
}

/** What was proven for this commit, or is preferred for its manifests, then what they suggest. */
async function inOrder(
  { store, force }: MakingTools,
  {
    place,
    set,
    inferred,
  }: {
    readonly place: EnvironmentPlace
    readonly set: string | undefined
    readonly inferred: readonly Recipe[]
  },
): Promise<readonly Choice[]> {
  const suggested = inferred.map((recipe): Choice => ({ recipe, source: 'inferred', strategy: 'recipe' }))
  if (force) return suggested
  const record = await store.find(place)
  const stored = (record && (await store.recipe(record.extra.key))) ?? (set && (await store.preferred(set)))
  if (!stored) return suggested
  const digest = recipeDigest(stored.recipe)
  const others = suggested.filter(({ recipe }) => recipeDigest(recipe) !== digest)
  return [{ recipe: stored.recipe, source: 'stored', strategy: stored.proof.strategy }, ...others]
}

function differences(first: Recipe, other: Recipe): readonly string[] {
  const keys = [...new Set([...Object.keys(first), ...Object.keys(other)])] as (keyof Recipe)[]
  return keys.filter((key) => key !== 'origin' && JSON.stringify(first[key]) !== JSON.stringify(other[key]))
}

function factsOf({ language, baseImage, runner, origin }: Recipe): RecipeFacts {
  return { language, base_image: baseImage, runner, origin }
}
