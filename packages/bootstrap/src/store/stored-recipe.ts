import { type Digest, digestOf, type Recipe, type RecipeProof, recipeDigest, type TestStatus } from '@r2e/spec'

/** A recipe and what proved it: `recipes/<key>/`. */
export interface StoredRecipe {
  readonly key: string
  readonly recipe: Recipe
  readonly proof: StoredProof
  readonly dockerfile: string
}

/** `proof.json`: the recipe was built from nothing and the whole suite run, each time in a fresh sandbox. */
export interface StoredProof {
  readonly schema: 'r2e.proof/1'
  readonly key: string
  /** Digest of what the recipe builds. */
  readonly recipe: Digest
  readonly dockerfile: Digest
  /** Who made it: inference alone, or a model that mended it. */
  readonly strategy: 'recipe' | 'agent'
  /** ISO 8601. */
  readonly proven_at: string
  readonly repo: string
  readonly commit: string
  readonly sandbox: string
  readonly platform: string
  readonly base_image: string
  /** What the base image was; null where the sandbox cannot tell. */
  readonly base_identity: string | null
  readonly build_sec: number
  readonly toolchain: Readonly<Record<string, string>>
  readonly packages: readonly string[]
  readonly runs: readonly ProofRun[]
  /** Of the first run. */
  readonly tests: Readonly<Record<string, TestStatus>>
  /** Tests that did not end alike in every run, with their statuses; `null` where a run did not have it. */
  readonly unstable: Readonly<Record<string, readonly (TestStatus | null)[]>>
}

export interface ProofRun {
  readonly seen: number
  readonly passed: number
  readonly unloaded: number
  readonly wall_sec: number
}

/** What the runs of a proof say, in the form in which it is stored. */
export function proofFacts({
  reports,
}: Pick<RecipeProof, 'reports'>): Pick<StoredProof, 'runs' | 'tests' | 'unstable'> {
  const [first] = reports
  const ids = [...new Set(reports.flatMap(({ tests }) => Object.keys(tests)))].sort()
  const unstable = ids
    .map((id) => [id, reports.map(({ tests }) => tests[id] ?? null)] as const)
    .filter(([, statuses]) => statuses.some((status) => status !== statuses[0]))
  return {
    runs: reports.map(({ tests, unloaded, wall_sec }) => {
      const statuses = Object.values(tests)
      const passed = statuses.filter((status) => status === 'PASSED').length
      return { seen: statuses.length, passed, unloaded: unloaded.length, wall_sec }
    }),
    tests: first?.tests ?? {},
    unstable: Object.fromEntries(unstable),
  }
}

/** A stored proof that is whole, and that belongs to this recipe and Dockerfile: an entry may be replaced while it is read. */
export function isProofOf(
  value: unknown,
  { key, recipe, dockerfile }: { readonly key: string; readonly recipe: unknown; readonly dockerfile: string },
): value is StoredProof {
  if (!isObject(value) || !isObject(recipe) || recipe.schema !== 'r2e.recipe/1') return false
  if (value.schema !== 'r2e.proof/1' || value.key !== key || !isObject(value.tests)) return false
  if (!Array.isArray(value.runs) || value.runs.length === 0 || !isObject(value.unstable)) return false
  if (!isObject(value.toolchain) || !Array.isArray(value.packages)) return false
  return value.recipe === recipeDigest(recipe as unknown as Recipe) && value.dockerfile === digestOf(dockerfile)
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
