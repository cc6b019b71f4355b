import {
  type Budget,
  type Reservation,
  type Spend,
  type SpendEntry,
  type SpendLimit,
  type SpendPurpose,
  userError,
} from '@r2e/spec'
import { type CountedCall, callsOf, totalOf } from './totals.ts'

export interface BudgetOptions {
  readonly limit: SpendLimit
  /** What earlier processes of this run spent. */
  readonly earlier?: readonly SpendEntry[] | undefined
  /** Puts an entry where a killed process does not lose it; a call is made only after its reservation lies there. */
  readonly record?: ((entry: SpendEntry) => Promise<void>) | undefined
}

interface Waiter {
  readonly worst: Spend
  readonly purpose: SpendPurpose
  grant(call: number): void
  refuse(error: Error): void
}

/**
 * One budget of a run. All its calls together, in flight or done, never hold more than the limit; first come, first
 * served, and refused is only what would not fit if every call in flight came back for free.
 */
export function openBudget({ limit, earlier = [], record = async () => {} }: BudgetOptions): Budget {
  const calls = callsOf(earlier)
  const queue: Waiter[] = []
  const sums = { spent: amountOf(totalOf(calls.values(), {})), held: { nanoUsd: 0, tokens: 0 } }
  let last = earlier.reduce((most, { call }) => Math.max(most, call), 0)

  const fits = ({ worst }: Waiter, used: Amount): boolean =>
    within(limit.nanoUsd, used.nanoUsd + (worst.nanoUsd ?? 0)) && within(limit.tokens, used.tokens + tokensOf(worst))

  function serve(): void {
    for (let next = queue[0]; next; next = queue[0]) {
      if (!fits(next, sums.spent)) next.refuse(exhausted(limit, sums.spent, next))
      else if (fits(next, plus(sums.spent, sums.held))) next.grant(hold(next))
      else return
      queue.shift()
    }
  }

  function hold({ purpose, worst }: Waiter): number {
    last += 1
    calls.set(last, { purpose, spend: worst, settled: false })
    sums.held = plus(sums.held, amountOf(worst))
    return last
  }

  function release(call: number, held: CountedCall, end: CountedCall | undefined): void {
    sums.held = plus(sums.held, amountOf(held.spend), -1)
    if (end) {
      calls.set(call, end)
      sums.spent = plus(sums.spent, amountOf(end.spend))
    } else calls.delete(call)
    serve()
  }

  function wait(worst: Spend, purpose: SpendPurpose, signal: AbortSignal): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    const waiter: Waiter = { worst, purpose, grant: resolve, refuse: reject }
    const leave = () => {
      if (!queue.includes(waiter)) return // granted a moment ago: whoever reserved settles it
      queue.splice(queue.indexOf(waiter), 1)
      reject(signal.reason)
      serve()
    }
    signal.addEventListener('abort', leave)
    queue.push(waiter)
    serve()
    return promise.finally(() => signal.removeEventListener('abort', leave))
  }

  async function settle(call: number, spend: Spend | 'unknown'): Promise<void> {
    const held = calls.get(call)!
    release(call, held, spend === 'unknown' ? held : { ...held, spend, settled: true })
    await record({ type: 'settle', call, spend })
  }

  return {
    limit,
    spent: (of = {}) => totalOf(calls.values(), of),
    async reserve(worst, purpose, signal): Promise<Reservation> {
      signal.throwIfAborted()
      requirePrice(limit, worst.nanoUsd, purpose.model)
      const call = await wait(worst, purpose, signal)
      try {
        await record({ type: 'reserve', call, worst, ...purpose })
      } catch (error) {
        release(call, calls.get(call)!, undefined)
        throw error
      }
      let open = true
      return {
        async settle(spend) {
          if (open) {
            open = false
            await settle(call, spend)
          }
        },
      }
    },
  }
}

interface Amount {
  readonly nanoUsd: number
  readonly tokens: number
}

const amountOf = (spend: Spend): Amount => ({ nanoUsd: spend.nanoUsd ?? 0, tokens: tokensOf(spend) })
const plus = (a: Amount, b: Amount, sign: 1 | -1 = 1): Amount => ({
  nanoUsd: a.nanoUsd + sign * b.nanoUsd,
  tokens: a.tokens + sign * b.tokens,
})
const tokensOf = ({ inputTokens, outputTokens }: Spend): number => inputTokens + outputTokens
const within = (most: number, amount: number): boolean => most === 0 || amount <= most

/**
 * A cap in money says nothing about calls without a price, so there must be one in tokens beside it.
 * @throws R2eError `unknown_price`
 */
export function requirePrice(limit: SpendLimit, price: unknown, model: string): void {
  if (price !== undefined || limit.nanoUsd === 0 || limit.tokens > 0) return
  throw userError(
    'unknown_price',
    `nothing says what ${model} costs, and spending is limited to ${usd(limit.nanoUsd)}`,
    {
      fix: 'give --price INPUT,OUTPUT in USD for a million tokens (0,0 where it is free), or a cap in tokens: --max-spend-tokens N, or no limit: --max-spend-usd 0',
      details: { model },
    },
  )
}

function exhausted(limit: SpendLimit, spent: Amount, { worst, purpose }: Waiter): Error {
  const parts = [
    limit.nanoUsd > 0 &&
      `${usd(spent.nanoUsd)} of ${usd(limit.nanoUsd)} are spent, it may cost ${usd(worst.nanoUsd ?? 0)}`,
    limit.tokens > 0 && `${spent.tokens} of ${limit.tokens} tokens are spent, it may use ${tokensOf(worst)}`,
  ].filter((part) => part !== false)
  const { phase, task, model } = purpose
  const where = `${phase}${task === undefined ? '' : `, ${task}`}`
  return userError(
    'budget_exhausted',
    `the budget has no room for a call of ${model} (${where}): ${parts.join('; ')}`,
    {
      fix: 'raise the limit and resume: what is stored is not paid for again',
      details: { phase, ...(task !== undefined && { task }), model },
    },
  )
}

const usd = (nano: number): string => `${(nano / 1e9).toFixed(4)} USD`
