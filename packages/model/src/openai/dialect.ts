import type { R2eError } from '@r2e/spec'

/** What an endpoint understands of a request; learned from its refusals. */
export interface Dialect {
  /** The older name is known everywhere, but to models that think before they answer at some providers. */
  readonly limit: 'max_tokens' | 'max_completion_tokens'
  readonly temperature: boolean
  readonly seed: boolean
}

export const FIRST_DIALECT: Dialect = { limit: 'max_tokens', temperature: true, seed: true }

/** The dialect without the parameter that was refused, or undefined where the refusal has another reason. */
export function learnDialect(dialect: Dialect, { details }: R2eError): Dialect | undefined {
  const { unsupported } = details
  if (unsupported === 'max_tokens' && dialect.limit === 'max_tokens')
    return { ...dialect, limit: 'max_completion_tokens' }
  if (unsupported === 'temperature' && dialect.temperature) return { ...dialect, temperature: false }
  if (unsupported === 'seed' && dialect.seed) return { ...dialect, seed: false }
  return undefined
}
