import type { JsonObject } from './json.ts'

/** How one candidate ended. `failed` with fault transient is retried by a resume; everything else is settled. */
export type CandidateEnd =
  | { readonly state: 'admitted'; readonly taskId: string }
  | { readonly state: 'skipped'; readonly reason: string; readonly detail: string }
  | { readonly state: 'failed'; readonly fault: 'transient' | 'bug'; readonly code: string; readonly detail: string }

export type StageName = 'discover' | 'draft' | 'environment' | 'observe' | 'check' | 'write'

/** Progress of a run, in order. With `--json` these are the lines of standard output. */
export type RunEvent =
  | {
      readonly type: 'run-start'
      readonly run: string
      readonly pipeline: string
      readonly repo: string
      readonly head: string
      readonly directory: string
      readonly resumed: boolean
    }
  | { readonly type: 'candidate-found'; readonly id: string; readonly title: string; readonly index: number }
  | {
      readonly type: 'stage-start'
      readonly id: string
      readonly stage: StageName
      readonly detail?: string | undefined
    }
  | {
      readonly type: 'stage-end'
      readonly id: string
      readonly stage: StageName
      readonly ms: number
      readonly detail?: string | undefined
    }
  | {
      readonly type: 'candidate-end'
      readonly id: string
      readonly title: string
      readonly end: CandidateEnd
      readonly replayed: boolean
    }
  /** A task made before was proven anew, without tests that moved in other tasks; or is withdrawn, where none was left. */
  | {
      readonly type: 'candidate-revised'
      readonly id: string
      readonly title: string
      readonly taskId: string
      readonly end: CandidateEnd
    }
  | {
      readonly type: 'task-written'
      readonly taskId: string
      readonly directory: string
      readonly failToPass: number
      readonly passToPass: number
    }
  | { readonly type: 'notice'; readonly level: 'info' | 'warning'; readonly code: string; readonly message: string }
  | { readonly type: 'run-end'; readonly summary: RunSummary }

export interface RunSummary {
  readonly run: string
  readonly pipeline: string
  readonly repo: string
  /** Why it ended. */
  readonly stop: 'exhausted' | 'limit' | 'max_candidates' | 'interrupted' | 'budget'
  readonly candidates: number
  readonly admitted: number
  readonly skipped: Readonly<Record<string, number>>
  readonly failed: { readonly transient: number; readonly bug: number }
  readonly tasks: readonly string[]
  /** Absolute paths; the dataset is undefined where nothing was written. */
  readonly dataset: string | undefined
  readonly ledger: string
  readonly seconds: number
  /** Σ test CPU ÷ (cores × wall) over the observing part of the run; 0 where nothing was observed. */
  readonly efficiency: number
  readonly details: JsonObject
}
