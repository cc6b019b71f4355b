import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunConfig } from '@r2e/spec'
import { startModelServer } from '@r2e/testing'
import { expect, it, onTestFinished } from 'vitest'
import { folder } from '../__fixtures__/spawn-cli.ts'
import { composeModel } from './model.ts'

type Llm = NonNullable<RunConfig['llm']>

const { signal } = new AbortController()
const asking = (text: string) => ({ messages: [{ role: 'user' as const, text }], maxOutputTokens: 50 })

/** A model at a server where each call costs 100 and 10 tokens: 0.00012 USD at the price 1,2. */
async function compose(llm: Partial<Llm> = {}, caps: { max_spend_usd?: number; max_spend_tokens?: number } = {}) {
  const usage = { prompt_tokens: 100, completion_tokens: 10 }
  const server = await startModelServer({ answer: () => ({ kind: 'reply', text: 'a', usage }) })
  onTestFinished(() => server[Symbol.asyncDispose]())
  const stateDirectory = await folder()
  const section: Llm = {
    provider: 'custom',
    model: 'model',
    api_key_env: null,
    endpoint: server.url,
    price: '1,2',
    max_concurrent: 5,
    timeout_sec: 20,
    fallback: null,
    ...llm,
  }
  const config = { llm: section, max_spend_usd: 5, max_spend_tokens: 0, ...caps }
  const open = async () => {
    const model = await composeModel({ config, stateDirectory, environment: {} })
    onTestFinished(() => model[Symbol.asyncDispose]())
    return model
  }
  return { stateDirectory, server, open, ledger: join(stateDirectory, 'spend.jsonl') }
}

it('writes nothing before it is told where, and then all that was spent before as well', async () => {
  const { open, stateDirectory, ledger } = await compose()
  const first = await open()
  expect(await first.model.probe(signal)).toMatchObject({ ok: true })
  expect(await readdir(stateDirectory)).toEqual([])
  await first.keepLedger(ledger)
  await first.model.complete(asking('b'), { phase: 'judge', task: 't', signal })
  await first[Symbol.asyncDispose]()

  const second = await open()
  expect(second.budget.spent()).toMatchObject({ calls: 0 })
  await second.keepLedger(ledger)
  expect(second.budget.spent()).toMatchObject({ calls: 2, nanoUsd: 240_000, unsettled: 0 })
  expect(second.budget.spent({ phase: 'judge', task: 't' })).toMatchObject({ calls: 1, nanoUsd: 120_000 })
})

it('keeps the numbers of calls apart where both the file and the process had some', async () => {
  const { open, ledger } = await compose()
  for (const calls of [1, 2, 3]) {
    const model = await open()
    await model.model.probe(signal)
    await model.keepLedger(ledger)
    expect(model.budget.spent()).toMatchObject({ calls, unsettled: 0 })
    await model[Symbol.asyncDispose]()
  }
})

it('holds the cap of a phase inside that of the run, over all processes of the run', async () => {
  const { open, ledger } = await compose()
  const first = await open()
  const within = first.budgetFor('bootstrap', 0.0004)
  expect(first.budgetFor('bootstrap', 0.0004)).toBe(within)
  await first.keepLedger(ledger)
  const call = { phase: 'bootstrap', within, signal } as const
  await first.model.complete(asking('a'), call)
  await first.model.complete(asking('b'), call)
  await expect(first.model.complete(asking('c'), call)).rejects.toMatchObject({ code: 'budget_exhausted' })
  await first.model.complete(asking('d'), { phase: 'judge', signal })
  await first[Symbol.asyncDispose]()

  const second = await open()
  await second.keepLedger(ledger)
  const again = second.budgetFor('bootstrap', 0.0004)
  expect(again.spent()).toMatchObject({ nanoUsd: 240_000, unsettled: 0 })
  const more = second.model.complete(asking('e'), { phase: 'bootstrap', within: again, signal })
  await expect(more).rejects.toMatchObject({ code: 'budget_exhausted' })
})

it('has no cap in money for a phase where a price is unknown and the run was given none [M2]', async () => {
  const { open } = await compose({ price: null }, { max_spend_usd: 0 })
  const { model, budgetFor } = await open()
  const within = budgetFor('bootstrap', 0.000001)
  expect(await model.complete(asking('a'), { phase: 'bootstrap', within, signal })).toMatchObject({ text: 'a' })
})

it('takes a cap that is too small to be counted for a cap', async () => {
  const { open, server } = await compose({}, { max_spend_usd: 1e-12 })
  expect(await (await open()).model.probe(signal)).toMatchObject({ ok: false, code: 'budget_exhausted' })
  expect(server.received).toEqual([])
})

it('refuses a fallback without a price as it refuses the first model [M2]', async () => {
  const spare = { provider: 'custom', model: 'spare', endpoint: 'http://127.0.0.1:1/v1', api_key_env: null }
  const { open } = await compose({
    fallback: { ...spare, price: null, max_concurrent: 5, timeout_sec: 5, fallback: null },
  })
  await expect(open()).rejects.toMatchObject({
    code: 'unknown_price',
    message: expect.stringContaining('custom/spare'),
  })
})
