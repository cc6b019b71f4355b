import { isR2eError } from '@r2e/spec'

/** The cap of the run has no room for the next call: the run ends here, and a resumed one with a higher cap goes on. */
export function isBudgetExhausted(error: unknown): boolean {
  return isR2eError(error) && error.code === 'budget_exhausted'
}

const NOBODYS_CANDIDATE: ReadonlySet<string> = new Set([
  'model_key_refused',
  'model_quota_exhausted',
  'unknown_model',
  'bad_endpoint',
  'unknown_price',
])

/** Faults that every candidate would meet, and that somebody has to mend: no verdict on the one that met it first. */
export function stopsEveryCandidate(error: unknown): boolean {
  return isR2eError(error) && error.fault === 'user' && NOBODYS_CANDIDATE.has(error.code)
}
