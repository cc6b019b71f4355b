import {
  type Budget,
  isR2eError,
  type ModelCall,
  type ModelLayer,
  type ModelPrice,
  type ModelReply,
  type Reservation,
  type Spend,
} from '@r2e/spec'
import { probeBy } from '../probe.ts'
import { requirePrice } from './open-budget.ts'
import { costOf } from './price.ts'
import { worstCase } from './worst-case.ts'

export interface BudgetLayerOptions {
  readonly budget: Budget
  /** Absent = unknown. */
  readonly price?: ModelPrice | undefined
}

/**
 * Reserves the worst case of every call before it is made, in the budget of the run and in that of the call, and settles
 * what it used. Lies directly around an adapter, so that each attempt and the probe are paid for.
 * @throws R2eError `unknown_price` where the budget limits money alone and there is no price
 */
export function withBudget({ budget, price }: BudgetLayerOptions): ModelLayer {
  return (inner) => {
    requirePrice(budget.limit, price, inner.name)
    const complete: typeof inner.complete = async (request, call) => {
      const held = await reserve(budget, worstCase(request, price), { ...call, model: inner.name })
      let reply: ModelReply
      try {
        reply = await inner.complete(request, call)
      } catch (error) {
        await settle(held, failedSpend(error))
        throw error
      }
      const spend = spendOf(reply, price)
      await settle(held, spend)
      return { ...reply, nanoUsd: spend === 'unknown' ? undefined : spend.nanoUsd }
    }
    return { ...inner, complete, probe: (signal) => probeBy(complete, signal) }
  }
}

/** The run's budget first, everywhere: so that no two calls wait for each other. */
async function reserve(budget: Budget, worst: Spend, call: ModelCall & { readonly model: string }) {
  const { phase, task, model, within, signal } = call
  const held: Reservation[] = []
  try {
    for (const one of within ? [budget, within] : [budget])
      held.push(await one.reserve(worst, { phase, task, model }, signal))
    signal.throwIfAborted()
    return held
  } catch (error) {
    await settle(held, NOTHING)
    throw error
  }
}

const NOTHING: Spend = { inputTokens: 0, outputTokens: 0, nanoUsd: 0 }

async function settle(held: readonly Reservation[], spend: Spend | 'unknown'): Promise<void> {
  for (const reservation of held) await reservation.settle(spend)
}

/** Why a call failed says whether it may have been paid for; an aborted one may. */
const failedSpend = (error: unknown): Spend | 'unknown' =>
  isR2eError(error) && error.details.billed === false ? NOTHING : 'unknown'

function spendOf({ cached, usage }: ModelReply, price: ModelPrice | undefined): Spend | 'unknown' {
  if (cached) return NOTHING
  return usage ? { ...usage, nanoUsd: costOf(usage, price) } : 'unknown'
}
