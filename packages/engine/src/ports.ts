import type {
  Budget,
  EnvironmentBuilder,
  LanguageModel,
  LanguagePack,
  Pipeline,
  RepoSource,
  SandboxProvider,
} from '@r2e/spec'

/** What the composition root hands to a run; every one a value of a port type. */
export interface EnginePorts {
  readonly source: RepoSource
  /** undefined where the pipeline executes nothing. */
  readonly sandbox: SandboxProvider | undefined
  // biome-ignore lint/suspicious/noExplicitAny: a pipeline's own option and candidate types are opaque to the engine
  readonly pipeline: Pipeline<any, any>
  readonly builder: EnvironmentBuilder
  readonly languages: readonly LanguagePack[]
  /** Absent where nothing asks for one. */
  readonly model?: ModelPort | undefined
}

/** A model within the budget of a run. */
export interface ModelPort {
  readonly model: LanguageModel
  /** Of all calls of the run. */
  readonly budget: Budget
  /** Counts what the file says was spent before, and writes to it from now on. Called once, with no call in flight. */
  keepLedger(path: string): Promise<void>
}

export interface RunOptions {
  /** The `.r2e` folder: runs, blobs, cache. */
  readonly stateDirectory: string
  /** `newest` takes the newest run with the same configuration; a string names a run. */
  readonly resume: false | 'newest' | (string & {})
  /** List candidates and first-stage skips; write nothing. */
  readonly dryRun: boolean
  readonly cores: number
  readonly toolVersion: string
  readonly now: () => Date
  readonly signal: AbortSignal
}
