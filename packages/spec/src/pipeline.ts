import type { GenericSchema } from 'valibot'
import type { Edit, FileRole, HiddenEdit, Patch } from './files.ts'
import type { JsonObject } from './json.ts'
import type { LanguagePack } from './language.ts'
import type { LanguageModel } from './model.ts'
import type { Recipe } from './recipe.ts'
import type { TestReport } from './report.ts'
import type { ObjectId, Repository, Tree } from './repository.ts'
import type { DiffPlan } from './run-plan.ts'
import type { Skip } from './skip.ts'

/** What every candidate has, whatever the pipeline; the rest is the pipeline's own JSON. */
export interface Candidate {
  /** Suffix of the task id: `-<sha12>`, `-<PR>`. Unique in a run. */
  readonly id: string
  /** The commit whose tree the agent starts from. */
  readonly base: ObjectId
  /** One line for people. */
  readonly title: string
}

export type Capability = 'commits' | 'pullRequests' | 'issues' | 'advisories'

/**
 * A pipeline proposes (`discover`) and writes (`draft`); classifying, checking and rendering are the engine's and the
 * same for all, so no pipeline can ship an unverified task.
 */
export interface Pipeline<Options = unknown, C extends Candidate = Candidate> {
  readonly contract: 'r2e.pipeline/1'
  /** snake_case, as in configuration and data. */
  readonly name: string
  /** Part of every cache key: raise it when the same input may give another draft. */
  readonly version: string
  /** One line for `pipelines list`. */
  readonly summary: string
  readonly reward: 'test_execution' | 'diff_similarity' | 'program'
  readonly needs: PipelineNeeds
  /** A strict object schema; each entry carries `v.description` and a default. */
  readonly options: GenericSchema<unknown, Options>
  readonly candidate: GenericSchema<unknown, C>
  /** Reasons this pipeline gives itself, with what they mean. */
  readonly skipReasons: Readonly<Record<string, string>>
  /** Whether these options ask for a model, where `needs.model` is false. */
  usesModel?(options: Options): boolean
  /** Yields in the order in which tasks are admitted. Skips are yielded too, so that the funnel is complete. */
  discover(input: DiscoverInput<Options>): AsyncGenerator<Found<C> | Skip, void>
  draft(candidate: C, input: DraftInput<Options>): Promise<Draft | Skip>
}

export interface PipelineNeeds {
  readonly source: readonly Capability[]
  /** Whether tasks are executed; `none` builds no environment and runs nothing. */
  readonly environment: 'none' | 'before-draft' | 'before-verify'
  readonly model: boolean
  readonly languages: 'any' | readonly string[]
}

export interface Found<C extends Candidate = Candidate> {
  readonly kind: 'found'
  readonly candidate: C
}

export interface DiscoverInput<Options> {
  readonly options: Options
  readonly repository: Repository
  readonly languages: readonly LanguagePack[]
  /** Role of a path under all language packs. */
  role(path: string): FileRole
  readonly signal: AbortSignal
}

export interface DraftInput<Options> {
  readonly options: Options
  readonly repository: Repository
  /** The tree of `candidate.base`. */
  readonly tree: Tree
  readonly languages: readonly LanguagePack[]
  role(path: string): FileRole
  readonly signal: AbortSignal
  /** Its calls are booked to this candidate's task. Present where `needs.model` or `usesModel` says so. */
  readonly model?: LanguageModel | undefined
  /** The recipe of the base, built and with a passing test. Present where `needs.environment` is `before-draft`. */
  environment?(): Promise<Recipe>
  /** A fresh sandbox of the snapshot with these edits; cached by content. Present where `needs.environment` is `before-draft`. */
  observe?(edits: readonly Edit[], files?: readonly string[]): Promise<TestReport>
}

/** Everything of a task that only the pipeline knows. */
export interface Draft {
  readonly kind: 'draft'
  readonly instruction: string
  /** Committed into the snapshot before the agent sees it: an injected bug, a removed body. */
  readonly setup: readonly Edit[]
  /** The oracle, against the snapshot; applies with `git apply --binary`. */
  readonly solution: Patch
  /** Test files, and test code inside source files, written (or removed) at grading. */
  readonly hidden: readonly HiddenEdit[]
  readonly plan: DraftPlan
  readonly category: 'bugfix' | 'feature' | 'equivalence' | 'security' | 'refactor'
  /** The change's address, when public: goes into task.toml as `reference`. */
  readonly reference?: string | undefined
  readonly sourceFiles: number
  /** Added plus deleted lines of the solution. */
  readonly changedLines: number
  /** The pipeline's metadata subtable of task.toml (contract §4): no author address, no path, no test name. */
  readonly metadata: JsonObject
  /** `provider/model` that wrote a part of the task: goes into task.toml as `synthesis_llm`. */
  readonly synthesisModel?: string | undefined
  /** Facts for people and later stages that never enter the task. */
  readonly provenance: JsonObject
}

export interface DraftPlan {
  /** Grade by running tests; `require` below. */
  readonly tests?: TestsPlan | undefined
  /** Grade by similarity of diffs. */
  readonly diff?: Pick<DiffPlan, 'metric'> | undefined
  /** Ship a runnable environment (else a text-only task). */
  readonly environment: boolean
}

export interface TestsPlan {
  readonly requireFailToPass: boolean
  /** Write the task without running it; it says `unverified` and never enters a published set. */
  readonly skipValidation?: boolean | undefined
  readonly minFailToPass: number
  /** undefined = no cap. */
  readonly maxPassToPass: number | undefined
  readonly timeoutSec: number
  readonly fullSuiteLimitSec: number
  /** Which broken states make a fail-to-pass test. */
  readonly failToPassFrom: readonly ('fail' | 'error' | 'absent')[]
}
