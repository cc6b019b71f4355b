import { isR2eError, type RunSummary } from '@r2e/spec'

export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  undecided: 3,
  nothing: 4,
  capped: 5,
  internal: 70,
  interrupted: 130,
} as const

/** Faults of a user that are failures of the work, not of the call. */
const failures: ReadonlySet<string> = new Set(['bootstrap_failed', 'file_exists', 'no_tasks'])

export function exitOfError(error: unknown): number {
  if (!isR2eError(error)) return EXIT.internal
  if (error.code === 'budget_exhausted') return EXIT.capped
  if (error.fault === 'user') return failures.has(error.code) ? EXIT.failed : EXIT.usage
  return error.fault === 'transient' ? EXIT.undecided : EXIT.internal
}

export function exitOfRun(summary: RunSummary, dryRun: boolean): number {
  if (summary.stop === 'interrupted') return EXIT.interrupted
  if (summary.stop === 'budget') return EXIT.capped
  if (summary.failed.transient > 0) return EXIT.undecided
  if (dryRun) return summary.candidates > 0 ? EXIT.ok : EXIT.nothing
  return summary.admitted > 0 ? EXIT.ok : EXIT.nothing
}
