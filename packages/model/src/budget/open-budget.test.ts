import { setImmediate as turn } from 'node:timers/promises'
import type { Budget, Spend, SpendEntry, SpendPurpose } from '@r2e/spec'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { faultOf } from '../__fixtures__/calls.ts'
import { openBudget } from './open-budget.ts'

const spend = (nanoUsd: number | undefined, tokens = 0): Spend => ({ inputTokens: tokens, outputTokens: 0, nanoUsd })
const money = (nanoUsd: number) => ({ nanoUsd, tokens: 0 })
const judge: SpendPurpose = { phase: 'judge', model: 'a/b' }
const live = new AbortController().signal

const reserve = (budget: Budget, worst: Spend, purpose = judge, signal = live) => budget.reserve(worst, purpose, signal)

/** Whether a promise is settled by now. */
async function isSettled(work: Promise<unknown>): Promise<boolean> {
  let settled = false
  const done = () => {
    settled = true
  }
  work.then(done, done)
  await turn()
  return settled
}

describe('a budget', () => {
  it('holds the worst case of a call until its cost is known', async () => {
    const budget = openBudget({ limit: money(100) })
    const call = await reserve(budget, spend(60))
    expect(budget.spent()).toMatchObject({ calls: 1, nanoUsd: 60, unsettled: 1 })
    await call.settle(spend(10))
    expect(budget.spent()).toMatchObject({ calls: 1, nanoUsd: 10, unsettled: 0 })
  })

  it('lets a call wait for those in flight, and refuses what would not fit without them', async () => {
    const budget = openBudget({ limit: money(1e9) })
    const first = await reserve(budget, spend(6e8))
    const second = reserve(budget, spend(6e8))
    expect(await isSettled(second)).toBe(false)
    await first.settle(spend(5e8))
    const fault = await faultOf(second)
    expect([fault.code, fault.fault, fault.message, fault.fix]).toEqual([
      'budget_exhausted',
      'user',
      'the budget has no room for a call of a/b (judge): 0.5000 USD of 1.0000 USD are spent, it may cost 0.6000 USD',
      'raise the limit and resume: what is stored is not paid for again',
    ])
    await expect(reserve(budget, spend(5e8))).resolves.toBeDefined()
  })

  it('serves in order of arrival, so that a large call is not starved by small ones', async () => {
    const budget = openBudget({ limit: money(100) })
    const first = await reserve(budget, spend(60))
    const large = reserve(budget, spend(90))
    const small = reserve(budget, spend(5))
    expect([await isSettled(large), await isSettled(small)]).toEqual([false, false])
    await first.settle(spend(0))
    expect([await isSettled(large), await isSettled(small)]).toEqual([true, true])
  })

  it('lets a call that waits be aborted, and serves the next', async () => {
    const budget = openBudget({ limit: money(100) })
    await reserve(budget, spend(60))
    const stop = new AbortController()
    const large = reserve(budget, spend(90), judge, stop.signal)
    const small = reserve(budget, spend(40))
    stop.abort(new Error('enough'))
    await expect(large).rejects.toThrow('enough')
    expect(await isSettled(small)).toBe(true)
  })

  it('takes a call that is aborted while it is granted for granted, and leaves the others in the queue', async () => {
    const budget = openBudget({ limit: money(100) })
    const first = await reserve(budget, spend(60))
    const stop = new AbortController()
    const second = reserve(budget, spend(60), judge, stop.signal)
    const third = reserve(budget, spend(60))
    const settling = first.settle(spend(0))
    stop.abort(new Error('enough'))
    await settling
    await (await second).settle(spend(0))
    await expect(third).resolves.toBeDefined()
  })

  it('counts what was used beyond the worst case, and settles a call once', async () => {
    const budget = openBudget({ limit: money(100) })
    const call = await reserve(budget, spend(60))
    await call.settle(spend(101))
    await call.settle(spend(0))
    expect(budget.spent().nanoUsd).toBe(101)
    expect((await faultOf(reserve(budget, spend(0)))).code).toBe('budget_exhausted')
  })

  it('keeps the worst case of a call whose usage is unknown, as spent', async () => {
    const budget = openBudget({ limit: money(100) })
    await (await reserve(budget, spend(60))).settle('unknown')
    expect(budget.spent()).toMatchObject({ nanoUsd: 60, unsettled: 1 })
    expect((await faultOf(reserve(budget, spend(41)))).code).toBe('budget_exhausted')
  })

  it('limits tokens as well as money', async () => {
    const budget = openBudget({ limit: { nanoUsd: 0, tokens: 100 } })
    await (await reserve(budget, spend(1e12, 60))).settle(spend(1e12, 60))
    const fault = await faultOf(reserve(budget, spend(1, 41)))
    expect(fault.message).toContain('60 of 100 tokens are spent, it may use 41')
  })

  it('takes 0 for no limit', async () => {
    const budget = openBudget({ limit: money(0) })
    await (await reserve(budget, spend(1e15))).settle(spend(1e15))
    expect(budget.spent().nanoUsd).toBe(1e15)
  })

  it('refuses a call of unknown price under a limit of money: unknown is not 0 [M2]', async () => {
    const fault = await faultOf(reserve(openBudget({ limit: money(100) }), spend(undefined, 10)))
    expect([fault.code, fault.fault, fault.fix]).toEqual([
      'unknown_price',
      'user',
      expect.stringMatching(/--price INPUT,OUTPUT.*cap in tokens.*--max-spend-usd 0/),
    ])
  })

  it('counts calls of unknown price apart, under a limit of tokens that still holds [M2]', async () => {
    const budget = openBudget({ limit: { nanoUsd: 100, tokens: 50 } })
    await (await reserve(budget, spend(undefined, 30))).settle(spend(undefined, 20))
    expect(budget.spent()).toMatchObject({ inputTokens: 20, nanoUsd: 0, unpriced: 1 })
    expect((await faultOf(reserve(budget, spend(undefined, 31)))).code).toBe('budget_exhausted')
  })

  it('tells the cost of a phase, of a task and of a model; the parts add up [M1]', async () => {
    const budget = openBudget({ limit: money(0) })
    const calls: readonly [SpendPurpose, number][] = [
      [{ phase: 'bootstrap', model: 'a/b' }, 1],
      [{ phase: 'synthesis', task: 't1', model: 'a/b' }, 10],
      [{ phase: 'judge', task: 't1', model: 'c/d' }, 100],
      [{ phase: 'judge', task: 't2', model: 'c/d' }, 1000],
    ]
    for (const [purpose, cost] of calls) await (await reserve(budget, spend(5000), purpose)).settle(spend(cost, 1))
    const cost = (of: Partial<SpendPurpose>) => budget.spent(of).nanoUsd
    expect({
      all: cost({}),
      t1: cost({ task: 't1' }),
      judge: cost({ phase: 'judge' }),
      judgeOfT1: cost({ task: 't1', phase: 'judge' }),
      ab: cost({ model: 'a/b' }),
    }).toEqual({ all: 1111, t1: 110, judge: 1100, judgeOfT1: 100, ab: 11 })
    const phases = (['probe', 'bootstrap', 'instructions', 'judge', 'synthesis'] as const).map((phase) =>
      cost({ phase }),
    )
    expect(phases.reduce((a, b) => a + b)).toBe(1111)
  })

  it('goes on from what was recorded: calls in flight at the end of a process stay spent [N4]', async () => {
    const entries: SpendEntry[] = []
    const record = async (entry: SpendEntry) => void entries.push(entry)
    const before = openBudget({ limit: money(100), record })
    await (await reserve(before, spend(50))).settle(spend(10))
    await reserve(before, spend(40))
    const after = openBudget({ limit: money(100), earlier: structuredClone(entries), record })
    expect(after.spent()).toEqual(before.spent())
    expect((await faultOf(reserve(after, spend(51)))).code).toBe('budget_exhausted')
    await reserve(after, spend(50))
    expect(entries.map(({ type, call }) => `${type} ${call}`)).toEqual([
      'reserve 1',
      'settle 1',
      'reserve 2',
      'reserve 3',
    ])
  })

  it('grants a call only after its reservation is recorded, and forgets one that cannot be', async () => {
    const budget = openBudget({ limit: money(100), record: () => Promise.reject(new Error('disk full')) })
    await expect(reserve(budget, spend(60))).rejects.toThrow('disk full')
    expect(budget.spent().calls).toBe(0)
  })

  it('refuses a ledger that settles what it never reserved', () => {
    const earlier: SpendEntry[] = [{ type: 'settle', call: 7, spend: 'unknown' }]
    expect(() => openBudget({ limit: money(1), earlier })).toThrow('call 7')
  })

  it('is never exceeded by calls together, whatever they cost and however they end', async () => {
    const cost = fc.integer({ min: 0, max: 60 })
    const call = fc.record({
      worst: cost,
      part: fc.double({ min: 0, max: 1, noNaN: true }),
      known: fc.boolean(),
      turns: fc.nat(4),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 30 }), fc.integer({ min: 1, max: 100 }), async (calls, limit) => {
        const budget = openBudget({ limit: { nanoUsd: limit, tokens: limit } })
        let paid = 0
        const ends = calls.map(async ({ worst, part, known, turns }) => {
          const held = await reserve(budget, spend(worst, worst))
          for (let left = turns; left > 0; left--) await turn()
          const used = Math.floor(worst * part)
          paid += used
          expect(budget.spent().nanoUsd).toBeLessThanOrEqual(limit)
          await held.settle(known ? spend(used, used) : 'unknown')
        })
        const refused = (await Promise.allSettled(ends)).filter(({ status }) => status === 'rejected').length
        const total = budget.spent()
        expect(total.calls).toBe(calls.length - refused)
        expect(paid).toBeLessThanOrEqual(total.nanoUsd)
        expect(total.nanoUsd).toBeLessThanOrEqual(limit)
        // nothing was refused that there was room for
        if (refused === 0) return
        const most = Math.max(...calls.map(({ worst }) => worst))
        expect(total.nanoUsd + most).toBeGreaterThan(limit)
      }),
      { numRuns: 200 },
    )
  })
})
