import type { Spend, SpendEntry, SpendPurpose, SpendTotal } from '@r2e/spec'
import { R2eError } from '@r2e/spec'

/** A call as the budget counts it. */
export interface CountedCall {
  readonly purpose: SpendPurpose
  readonly spend: Spend
  /** False where `spend` is the worst case. */
  readonly settled: boolean
}

/** The calls of a ledger, by number. One without an end was in flight when its process ended: its worst case is spent. */
export function callsOf(entries: readonly SpendEntry[]): Map<number, CountedCall> {
  const calls = new Map<number, CountedCall>()
  for (const entry of entries) {
    if (entry.type === 'reserve') {
      const { phase, task, model, worst } = entry
      calls.set(entry.call, { purpose: { phase, task, model }, spend: worst, settled: false })
      continue
    }
    const held = calls.get(entry.call)
    if (!held)
      throw new R2eError('damaged_ledger', 'user', `the ledger settles call ${entry.call}, which it never reserved`)
    if (entry.spend !== 'unknown') calls.set(entry.call, { ...held, spend: entry.spend, settled: true })
  }
  return calls
}

export function totalOf(calls: Iterable<CountedCall>, of: Partial<SpendPurpose>): SpendTotal {
  const total = { calls: 0, inputTokens: 0, outputTokens: 0, nanoUsd: 0, unpriced: 0, unsettled: 0 }
  for (const { purpose, spend, settled } of calls) {
    if (!matches(purpose, of)) continue
    total.calls += 1
    total.inputTokens += spend.inputTokens
    total.outputTokens += spend.outputTokens
    total.nanoUsd += spend.nanoUsd ?? 0
    if (spend.nanoUsd === undefined) total.unpriced += 1
    if (!settled) total.unsettled += 1
  }
  return total
}

function matches(purpose: SpendPurpose, of: Partial<SpendPurpose>): boolean {
  return (['phase', 'task', 'model'] as const).every((key) => of[key] === undefined || of[key] === purpose[key])
}
