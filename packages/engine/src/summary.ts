import type { CandidateEnd, RunSummary } from '@r2e/spec'

/** Counts how candidates ended; the numbers always add up to the candidates seen. */
export interface Tally {
  add(end: CandidateEnd): void
  /** Another end for a candidate that was admitted. */
  revise(end: CandidateEnd): void
  counts(): Pick<RunSummary, 'candidates' | 'admitted' | 'skipped' | 'failed'>
}

export function createTally(): Tally {
  const skipped = new Map<string, number>()
  const failed = { transient: 0, bug: 0 }
  let candidates = 0
  let admitted = 0
  const count = (end: CandidateEnd) => {
    if (end.state === 'admitted') admitted++
    else if (end.state === 'skipped') skipped.set(end.reason, (skipped.get(end.reason) ?? 0) + 1)
    else failed[end.fault]++
  }
  return {
    add(end) {
      candidates++
      count(end)
    },
    revise(end) {
      admitted--
      count(end)
    },
    counts() {
      const byCount = [...skipped].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
      return { candidates, admitted, skipped: Object.fromEntries(byCount), failed: { ...failed } }
    },
  }
}
