import type { JsonObject } from './json.ts'

/** Who has to act: the user (exit 2), nobody but time (retried), or us (exit 70). */
export type Fault = 'user' | 'transient' | 'bug'

export interface R2eErrorOptions {
  /** What to do about it, one sentence. */
  readonly fix?: string
  readonly details?: JsonObject
  readonly cause?: unknown
}

const marker = 'r2e.error/1'

/**
 * The one error class. `code` is a snake_case word that programs may test; `message` says what and where; `fix` what to
 * do. Secrets never enter `message` or `details`. Recognise it with {@link isR2eError}, which survives two copies of
 * this package.
 */
export class R2eError extends Error {
  override readonly name = 'R2eError'
  /** The marker key of {@link isR2eError}. */
  readonly 'r2e.error/1' = true as const
  readonly code: string
  readonly fault: Fault
  readonly fix: string | undefined
  readonly details: JsonObject

  constructor(code: string, fault: Fault, message: string, options: R2eErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.code = code
    this.fault = fault
    this.fix = options.fix
    this.details = options.details ?? {}
  }
}

export function isR2eError(value: unknown): value is R2eError {
  return typeof value === 'object' && value !== null && marker in value
}

/** The faults of a user: bad input, missing file, unknown name. */
export function userError(code: string, message: string, options?: R2eErrorOptions): R2eError {
  return new R2eError(code, 'user', message, options)
}
