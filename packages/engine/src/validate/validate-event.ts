import type { TaskRun } from '../observe/run-task.ts'
import type { Finding } from './finding.ts'

/** Progress of a validation, in order. `task` is a path relative to the one that was asked for. */
export type ValidateEvent =
  | { readonly type: 'task-start'; readonly task: string }
  | {
      readonly type: 'task-run'
      readonly task: string
      readonly state: 'oracle' | 'nop'
      /** From 1 on. */
      readonly turn: number
      readonly run: TaskRun
    }
  | ({ readonly type: 'finding'; readonly task: string } & Finding)
  | { readonly type: 'task-end'; readonly task: string; readonly valid: boolean }

export interface ValidateSummary {
  /** There is at least one task, and no error. */
  readonly ok: boolean
  readonly tasks: number
  readonly valid: number
  readonly errors: number
  readonly warnings: number
  /** Sandboxed runs made. */
  readonly runs: number
}
