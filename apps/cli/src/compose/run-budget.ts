import type { SpendLedger } from '@r2e/model'
import type { Budget, ModelPhase, SpendEntry, SpendLimit } from '@r2e/spec'

/** The budgets of a run before it is known which run goes on: they start empty, and take the ledger over once. */
export interface RunBudget extends AsyncDisposable {
  readonly budget: Budget
  /** A further limit inside, for the calls of one phase: handed to a call as `within`. One for each phase. */
  phase(name: ModelPhase, limit: SpendLimit): Budget
  /** What the file holds counts as spent; what was and will be spent is written to it. With no call in flight. */
  keepLedger(path: string): Promise<void>
}

export async function openRunBudget(limit: SpendLimit): Promise<RunBudget> {
  const { openBudget, openSpendLedger } = await import('@r2e/model')
  const before: SpendEntry[] = []
  let ledger: SpendLedger | undefined
  let known: readonly SpendEntry[] = []
  const whole = replaceable(
    openBudget({
      limit,
      record: async (entry) => {
        before.push(entry)
      },
    }),
  )
  const phases = new Map<ModelPhase, ReturnType<typeof replaceable>>()
  return {
    budget: whole.budget,
    phase(name, limit) {
      const one = phases.get(name) ?? replaceable(openBudget({ limit, earlier: ofPhase(known, name) }))
      phases.set(name, one)
      return one.budget
    },
    async keepLedger(path) {
      ledger = await openSpendLedger(path)
      const { earlier, record } = ledger
      const last = earlier.reduce((most, { call }) => Math.max(most, call), 0)
      const own = before.map((entry) => ({ ...entry, call: entry.call + last }))
      for (const entry of own) await record(entry)
      known = [...earlier, ...own]
      whole.replace(openBudget({ limit, earlier: known, record }))
      for (const [name, { budget, replace }] of phases)
        replace(openBudget({ limit: budget.limit, earlier: ofPhase(known, name) }))
    },
    [Symbol.asyncDispose]: async () => ledger?.[Symbol.asyncDispose](),
  }
}

/** A budget that stays the same for whoever holds it. */
function replaceable(first: Budget) {
  let current = first
  const budget: Budget = {
    limit: first.limit,
    reserve: (...call) => current.reserve(...call),
    spent: (of) => current.spent(of),
  }
  return {
    budget,
    replace(next: Budget) {
      current = next
    },
  }
}

function ofPhase(entries: readonly SpendEntry[], phase: ModelPhase): SpendEntry[] {
  const calls = new Set(
    entries.flatMap((entry) => (entry.type === 'reserve' && entry.phase === phase ? entry.call : [])),
  )
  return entries.filter(({ call }) => calls.has(call))
}
