import { R2eError } from '@r2e/spec'
import { errorAnswer, fakeModel } from '@r2e/testing'
import { describe, expect, it } from 'vitest'
import { asking, calling, faultOf } from '../__fixtures__/calls.ts'
import { testFolder } from '../__fixtures__/folder.ts'
import { serve } from '../__fixtures__/servers.ts'
import { withCache } from '../cache/with-cache.ts'
import { openBudget } from './open-budget.ts'
import { parsePrice } from './price.ts'
import { withBudget } from './with-budget.ts'
import { worstCase } from './worst-case.ts'

const price = parsePrice('1,2')
const usd = (amount: number) => ({ nanoUsd: amount * 1e9, tokens: 0 })
const used = { usage: { inputTokens: 100, outputTokens: 10 } }

describe('the budget around a model', () => {
  it('counts what a call used, and says what it cost', async () => {
    const budget = openBudget({ limit: usd(1) })
    const model = withBudget({ budget, price })(fakeModel({ answer: () => used }))
    const reply = await model.complete(asking('a'), calling({ phase: 'judge', task: 't' }))
    expect(reply.nanoUsd).toBe(120_000)
    expect(budget.spent({ phase: 'judge', task: 't', model: 'fake/model' })).toEqual({
      calls: 1,
      inputTokens: 100,
      outputTokens: 10,
      nanoUsd: 120_000,
      unpriced: 0,
      unsettled: 0,
    })
  })

  it('makes no call that might exceed it', async () => {
    const request = asking('a')
    const budget = openBudget({ limit: { nanoUsd: worstCase(request, price).nanoUsd! - 1, tokens: 0 } })
    const inner = fakeModel({ answer: () => used })
    const fault = await faultOf(withBudget({ budget, price })(inner).complete(request, calling()))
    expect([fault.code, inner.calls.length]).toEqual(['budget_exhausted', 0])
  })

  it('counts the probe', async () => {
    const budget = openBudget({ limit: usd(1) })
    await withBudget({ budget, price })(fakeModel({ answer: () => used })).probe(calling().signal)
    expect(budget.spent({ phase: 'probe' }).nanoUsd).toBe(120_000)
  })

  it('counts a reply without usage, and a call that broke, with the worst case', async () => {
    const budget = openBudget({ limit: usd(1) })
    const answers = [
      { kind: 'reply', usage: null } as const,
      errorAnswer(500, 'Oops'),
      { kind: 'cut', after: 'half' } as const,
    ]
    const { model } = await serve((_, index) => answers[index]!)
    const paid = withBudget({ budget, price })(model)
    expect((await paid.complete(asking('a'), calling())).nanoUsd).toBeUndefined()
    for (const _ of [1, 2]) await faultOf(paid.complete(asking('a'), calling()))
    expect(budget.spent()).toMatchObject({ unsettled: 3, nanoUsd: 3 * worstCase(asking('a'), price).nanoUsd! })
  })

  it('counts a call that is aborted with the worst case', async () => {
    const budget = openBudget({ limit: usd(1) })
    const { model } = await serve(() => ({ kind: 'stall', after: 'headers' }))
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 50)
    await withBudget({ budget, price })(model)
      .complete(asking('a'), calling({ signal: stop.signal }))
      .catch(() => {})
    expect(budget.spent()).toMatchObject({ unsettled: 1 })
  })

  it('does not make a call that is aborted while its reservation is recorded', async () => {
    const stop = new AbortController()
    const budget = openBudget({ limit: usd(1), record: async () => stop.abort(new Error('enough')) })
    const inner = fakeModel({ answer: () => used })
    const call = calling({ signal: stop.signal })
    await expect(withBudget({ budget, price })(inner).complete(asking('a'), call)).rejects.toThrow('enough')
    expect([inner.calls.length, budget.spent().nanoUsd]).toEqual([0, 0])
  })

  it('counts nothing for a reply that was stored', async () => {
    const budget = openBudget({ limit: usd(1) })
    const inner = withCache({ directory: await testFolder() })(fakeModel({ answer: () => used }))
    await inner.complete(asking('a'), calling())
    const reply = await withBudget({ budget, price })(inner).complete(asking('a'), calling())
    expect([reply.nanoUsd, budget.spent().nanoUsd]).toEqual([0, 0])
  })

  it('counts nothing for a call that was refused', async () => {
    const budget = openBudget({ limit: usd(1) })
    const { model } = await serve(() => errorAnswer(429, 'Slow down'))
    await faultOf(withBudget({ budget, price })(model).complete(asking('a'), calling()))
    expect(budget.spent()).toMatchObject({ calls: 1, nanoUsd: 0, unsettled: 0 })
  })

  it('holds the budget of the call as well, inside that of the run', async () => {
    const [budget, within] = [openBudget({ limit: usd(1) }), openBudget({ limit: { nanoUsd: 0, tokens: 500 } })]
    const model = withBudget({ budget, price })(fakeModel({ answer: () => used }))
    for (const _ of [1, 2, 3]) await model.complete(asking('a'), calling({ within }))
    const fault = await faultOf(model.complete(asking('a'), calling({ within })))
    expect([fault.code, fault.message]).toEqual(['budget_exhausted', expect.stringContaining('330 of 500 tokens')])
    expect([within.spent().nanoUsd, budget.spent().nanoUsd]).toEqual([360_000, 360_000])
    await model.complete(asking('a'), calling())
    expect([within.spent().calls, budget.spent().nanoUsd]).toEqual([3, 480_000])
  })

  it('is not made for a model of unknown price, where money alone is limited [M2]', async () => {
    const inner = fakeModel({ answer: () => used })
    expect(() => withBudget({ budget: openBudget({ limit: usd(5) }) })(inner)).toThrow(
      'nothing says what fake/model costs, and spending is limited to 5.0000 USD',
    )
    const model = withBudget({ budget: openBudget({ limit: { nanoUsd: 5e9, tokens: 1000 } }) })(inner)
    expect((await model.complete(asking('a'), calling())).nanoUsd).toBeUndefined()
  })

  it('never lets calls at one time exceed the limit together', async () => {
    const request = asking('a')
    const worst = worstCase(request, price).nanoUsd!
    const budget = openBudget({ limit: { nanoUsd: Math.floor(worst * 2.5), tokens: 0 } })
    let [now, most] = [0, 0]
    const inner = fakeModel({
      async answer() {
        most = Math.max(most, ++now)
        await new Promise((done) => setTimeout(done, 5))
        now--
        throw new R2eError('model_busy', 'transient', 'busy', { details: { billed: false } })
      },
    })
    const model = withBudget({ budget, price })(inner)
    await Promise.allSettled(Array.from({ length: 20 }, () => model.complete(request, calling())))
    expect([most, inner.calls.length]).toEqual([2, 20])
  })
})
