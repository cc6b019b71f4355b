import type { ModelLayer } from '@r2e/spec'
import { R2eError } from '@r2e/spec'
import { fakeModel, type ModelExchange, type ModelSuiteOptions, modelSuite } from '@r2e/testing'
import { describe, it } from 'vitest'
import { calling } from './__fixtures__/calls.ts'
import { testFolder } from './__fixtures__/folder.ts'
import { openBudget, parsePrice, withBudget, withCache, withFallback, withRetry } from './index.ts'
import { createReplayModel, withTranscript } from './replay/index.ts'

/** A model in memory that answers the suite's requests, and its probe. */
function suiteModel(exchanges: readonly ModelExchange[]) {
  return fakeModel({
    answer(request, _index, { phase }) {
      const found = exchanges.find((exchange) => exchange.request === request)
      if (found) return found.reply
      if (phase === 'probe') return { text: 'ready' }
      throw new R2eError('model_request_refused', 'bug', 'fake/model has no reply to this')
    },
  })
}

const opened =
  (layer: ModelLayer): ModelSuiteOptions['open'] =>
  async (exchanges) => ({
    model: layer(suiteModel(exchanges)),
    async [Symbol.asyncDispose]() {},
  })

const suites: Readonly<Record<string, ModelSuiteOptions['open']>> = {
  'a fake': opened((model) => model),
  'the budget': opened(
    withBudget({ budget: openBudget({ limit: { nanoUsd: 1e9, tokens: 0 } }), price: parsePrice('1,2') }),
  ),
  retries: opened(withRetry({ sleep: async () => {}, random: () => 0 })),
  'a chain': opened(withFallback(fakeModel({ name: 'fake/second', answer: () => ({ text: 'second' }) }))),
  'the cache': async (exchanges) => opened(withCache({ directory: await testFolder() }))(exchanges),
  async replay(exchanges) {
    const path = `${await testFolder()}/transcript.jsonl`
    const recording = withTranscript({ path, secrets: [] })(suiteModel(exchanges))
    for (const { request } of exchanges) await recording.complete(request, calling())
    return { model: createReplayModel({ transcript: path }), async [Symbol.asyncDispose]() {} }
  },
}

for (const [name, open] of Object.entries(suites))
  describe(`a model: ${name}`, () => {
    for (const check of modelSuite({ open })) it(check.title, check.run)
  })
