import { answerExchanges, type ModelSuiteOptions, modelSuite, startModelServer } from '@r2e/testing'
import { describe, it } from 'vitest'
import { modelAt } from '../__fixtures__/servers.ts'

const open: ModelSuiteOptions['open'] = async (exchanges) => {
  const server = await startModelServer({ answer: answerExchanges(exchanges) })
  return { model: modelAt(server.url), [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

describe('a model behind an endpoint', () => {
  for (const check of modelSuite({ open })) it(check.title, check.run)
})
