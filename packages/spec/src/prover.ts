import type { Recipe, RecipeOptions } from './recipe.ts'
import type { TestReport } from './report.ts'
import type { Repository, Tree } from './repository.ts'

/**
 * Builds a recipe and runs the tests of an untouched tree in it, as a task of that tree would. What does not build or
 * shows no test is an answer; only broken infrastructure throws.
 */
export interface RecipeProver {
  /** @throws R2eError of fault `transient` or `bug`; the signal's reason when it fires */
  prove(recipe: Recipe, request: ProveRequest): Promise<RecipeProof | RecipeFailure>
}

export interface ProveRequest {
  readonly tree: Tree
  readonly repository: Repository
  /** Times that the whole suite runs, each in a fresh sandbox. */
  readonly runs: number
  /** Build every layer anew, whatever earlier builds left. */
  readonly fresh: boolean
  readonly signal: AbortSignal
}

export interface RecipeProof {
  readonly kind: 'proof'
  /** What the sandbox calls the image. It stays until somebody removes it; that of a failure is gone already. */
  readonly image: string
  /** As a task of this tree ships it. */
  readonly dockerfile: string
  readonly buildSec: number
  /** One for each run, in their order. */
  readonly reports: readonly TestReport[]
  /** Version lines of the tools in the image, by name. */
  readonly toolchain?: Readonly<Record<string, string>> | undefined
  /** What is installed for the language, as its own package manager lists it. */
  readonly packages?: readonly string[] | undefined
}

export interface RecipeFailure {
  readonly kind: 'failure'
  /** A skip reason: `environment_failed`, `no_tests_seen`, `verifier_timeout`, … */
  readonly reason: string
  readonly detail: string
  /** The instruction that failed, where it was the build. */
  readonly step?: string | undefined
  /** The build failed before the tree came in: it does so for every commit of equal manifests. */
  readonly beforeTree?: boolean | undefined
  /** Head and tail of the output. */
  readonly log: string
  readonly seconds: number
}

/** A recipe that did not work, and why. */
export interface FailedRecipe {
  readonly recipe: Recipe
  readonly failure: RecipeFailure
}

/** Makes a recipe where none of the inferred ones works. */
export interface EnvironmentMender {
  mend(request: MendRequest): Promise<MendOutcome>
}

export interface MendRequest {
  readonly tree: Tree
  readonly repository: Repository
  readonly options: RecipeOptions
  /** In the order in which they were tried; none where no manifest says anything. */
  readonly failed: readonly FailedRecipe[]
  /** File that receives each message as it is said; its folder exists. */
  readonly transcript: string
  readonly signal: AbortSignal
}

/** `recipe` is not proven yet. Every other outcome says in one line why there is none. */
export type MendOutcome =
  | { readonly kind: 'recipe'; readonly recipe: Recipe; readonly iterations: number }
  | {
      readonly kind: 'gave_up' | 'timeout' | 'cost_budget' | 'max_iterations'
      readonly detail: string
      readonly iterations: number
    }
