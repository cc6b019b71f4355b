import { errorAnswer } from '@r2e/testing'
import { describe, expect, it } from 'vitest'
import { asking, calling, faultOf } from './__fixtures__/calls.ts'
import { testFolder } from './__fixtures__/folder.ts'
import { serve } from './__fixtures__/servers.ts'
import { openBudget, parsePrice } from './index.ts'
import { layerModels } from './layer-models.ts'

const retry = { sleep: async () => {}, random: () => 0 }
const usage = { prompt_tokens: 100, completion_tokens: 10 }
const limit = { nanoUsd: 1e9, tokens: 0 }

describe('the layers together', () => {
  it('retry, fall back, count every attempt at its own price, and store the reply for the chain', async () => {
    const first = await serve(() => errorAnswer(429, 'Slow down'), { provider: 'first' })
    const second = await serve(() => ({ kind: 'reply', text: 'yes', usage }), { provider: 'second' })
    const budget = openBudget({ limit })
    const layers = { budget, retry, cacheDirectory: await testFolder() }
    const chain = () =>
      layerModels(
        [
          { model: first.model, price: parsePrice('5,5') },
          { model: second.model, price: parsePrice('1,2') },
        ],
        layers,
      )
    const reply = await chain().complete(asking('a'), calling({ task: 't' }))
    expect(reply).toMatchObject({ text: 'yes', model: 'second/model', cached: false, nanoUsd: 120_000 })
    expect(await chain().complete(asking('a'), calling({ task: 't' }))).toMatchObject({
      cached: true,
      nanoUsd: 0,
      paidNanoUsd: 120_000,
    })
    expect([first.server.received.length, second.server.received.length]).toEqual([6, 1])
    expect([budget.spent({ model: 'first/model' }), budget.spent({ task: 't' })]).toMatchObject([
      { calls: 6, nanoUsd: 0 },
      { calls: 7, nanoUsd: 120_000 },
    ])
  })

  it('name the models there are in a probe, whatever lies around the adapter', async () => {
    const { model } = await serve({ models: ['modell'], answer: () => ({ kind: 'reply', usage }) })
    const layers = { budget: openBudget({ limit }), retry, cacheDirectory: await testFolder() }
    const whole = layerModels([{ model, price: parsePrice('1,1'), maxConcurrent: 1 }], layers)
    expect(await whole.probe(new AbortController().signal)).toMatchObject({
      ok: false,
      code: 'unknown_model',
      fix: 'did you mean modell?',
    })
  })

  it('neither repeat a call nor ask the fallback where the budget is exhausted', async () => {
    const first = await serve(() => ({ kind: 'cut', after: 'half' }), { provider: 'first' })
    const second = await serve(() => ({ kind: 'reply', usage }), { provider: 'second' })
    const price = parsePrice('0,1000')
    const budget = openBudget({ limit: { nanoUsd: 120e6, tokens: 0 } })
    const layers = { budget, retry, cacheDirectory: await testFolder() }
    const chain = layerModels(
      [
        { model: first.model, price },
        { model: second.model, price },
      ],
      layers,
    )
    const fault = await faultOf(chain.complete(asking('a'), calling()))
    expect([fault.code, first.server.received.length, second.server.received.length]).toEqual([
      'budget_exhausted',
      2,
      0,
    ])
    expect(budget.spent().nanoUsd).toBe(100e6)
  })

  it('probe each model in the budget', async () => {
    const first = await serve(() => ({ kind: 'reply', usage }), { provider: 'first' })
    const second = await serve(() => errorAnswer(401, 'Incorrect API key'), { provider: 'second' })
    const budget = openBudget({ limit })
    const price = parsePrice('1,2')
    const layers = { budget, retry, cacheDirectory: await testFolder() }
    const chain = layerModels(
      [
        { model: first.model, price },
        { model: second.model, price },
      ],
      layers,
    )
    expect(await chain.probe(calling().signal)).toMatchObject({ ok: false, code: 'model_key_refused' })
    expect(budget.spent({ phase: 'probe' })).toMatchObject({ calls: 2, nanoUsd: 120_000, unsettled: 0 })
  })
})
