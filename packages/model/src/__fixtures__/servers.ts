import type { LanguageModel } from '@r2e/spec'
import { type ModelServer, type ModelServerOptions, startModelServer } from '@r2e/testing'
import { onTestFinished } from 'vitest'
import { createOpenAiModel, type OpenAiModelOptions } from '../openai/index.ts'

export const KEY = 'sk-test-4242424242424242'

export interface Served {
  readonly server: ModelServer
  readonly model: LanguageModel
}

/** A server that lives as long as the test, and the adapter on it. */
export async function serve(
  options: ModelServerOptions | ModelServerOptions['answer'],
  settings: Partial<OpenAiModelOptions> = {},
): Promise<Served> {
  const server = await startModelServer(typeof options === 'function' ? { answer: options } : options)
  onTestFinished(() => server[Symbol.asyncDispose]())
  return { server, model: modelAt(server.url, settings) }
}

export function modelAt(endpoint: string, settings: Partial<OpenAiModelOptions> = {}): LanguageModel {
  return createOpenAiModel({ provider: 'custom', model: 'model', endpoint, environment: {}, timeoutSec: 20, ...settings })
}

/** A base URL where nothing listens any more. */
export async function closedUrl(): Promise<string> {
  const server = await startModelServer({ answer: () => ({ kind: 'reply' }) })
  await server[Symbol.asyncDispose]()
  return server.url
}
