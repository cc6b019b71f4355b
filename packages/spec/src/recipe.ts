import { type Digest, digestJson } from './digest.ts'
import type { JsonObject } from './json.ts'

/**
 * How to build an environment: data, never a container. Rendered as Dockerfile layers in this order: base image, `system`
 * packages, `env`, `files` copied, `dependencies` steps (network on, no source of the project present), `setup` steps,
 * the snapshot, `project` steps (offline).
 */
export interface Recipe {
  readonly schema: 'r2e.recipe/1'
  readonly language: string
  readonly baseImage: string
  /** Debian packages beyond what the base image holds. */
  readonly system: readonly string[]
  /** `${NAME}` refers to a variable of the base image or an earlier entry. */
  readonly env: Readonly<Record<string, string>>
  /** Small text files that the dependency steps read, such as a requirements file; copied to `/r2e/`. */
  readonly files: readonly RecipeFile[]
  readonly dependencies: readonly RecipeStep[]
  /** The user's own commands (`--setup`), run after the dependencies. */
  readonly setup: readonly RecipeStep[]
  readonly project: readonly RecipeStep[]
  readonly runner: string
  /** `--test-cmd`, or what the project's settings say: replaces the runner's own command, its selection appended. */
  readonly testCommand?: readonly string[] | undefined
  /** What the whole-suite run covers, in the runner's terms: folders for pytest, package patterns for go. */
  readonly suite: readonly string[]
  /** Environment of the test command, beside the fixed one of the runner. */
  readonly testEnv: Readonly<Record<string, string>>
  /** Files of the repository whose content this recipe was made from: its cache key. */
  readonly manifests: readonly string[]
  /** What was inferred from which file; shown to people. */
  readonly origin: readonly RecipeOrigin[]
}

/** Digest of what a recipe builds; where it was inferred from does not count. */
export function recipeDigest({ origin: _shownOnly, ...built }: Recipe): Digest {
  return digestJson(built as unknown as JsonObject)
}

export interface RecipeFile {
  /** Relative to `/r2e/`. */
  readonly path: string
  readonly text: string
}

/** One shell command. Text from the repository never stands in it: it goes through `files`. */
export interface RecipeStep {
  readonly run: string
  readonly network: boolean
  /** A failure of this step does not fail the build (for instance a warm-up of a compiler cache). */
  readonly optional?: boolean | undefined
}

export interface RecipeOrigin {
  readonly fact: string
  readonly file: string
}

/** Makes recipes for a tree, in order of promise; the engine takes the first that builds and shows a test. */
export interface EnvironmentBuilder {
  readonly version: string
  recipes(input: RecipeInput): Promise<readonly Recipe[]>
}

export interface RecipeInput {
  readonly tree: import('./repository.ts').Tree
  readonly repository: import('./repository.ts').Repository
  readonly options: RecipeOptions
  readonly signal?: AbortSignal | undefined
}

export interface RecipeOptions {
  readonly language?: string | undefined
  readonly baseImage?: string | undefined
  readonly setup: readonly string[]
  readonly testCommand?: readonly string[] | undefined
  readonly extra?: JsonObject | undefined
}
