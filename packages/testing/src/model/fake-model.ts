import type { LanguageModel, ModelCall, ModelReply, ModelRequest } from '@r2e/spec'

export interface FakeModelOptions {
  /** Default `fake/model`. */
  readonly name?: string | undefined
  /** The reply to the call of this number, from 0; what it leaves out is empty. A fault is thrown. */
  answer(request: ModelRequest, index: number, call: ModelCall): FakeReply | Promise<FakeReply>
}

export type FakeReply = Partial<Pick<ModelReply, 'text' | 'toolCalls' | 'end' | 'usage'>>

export interface FakeModel extends LanguageModel {
  readonly calls: readonly { readonly request: ModelRequest; readonly call: ModelCall }[]
}

/** A model in memory. */
export function fakeModel({ name = 'fake/model', answer }: FakeModelOptions): FakeModel {
  const calls: { request: ModelRequest; call: ModelCall }[] = []
  return {
    name,
    identity: { provider: 'fake', model: name },
    calls,
    async probe(signal) {
      signal.throwIfAborted()
      return { ok: true, detail: `${name} answers` }
    },
    async complete(request, call) {
      call.signal.throwIfAborted()
      calls.push({ request, call })
      const { text = '', toolCalls = [], usage, ...given } = await answer(request, calls.length - 1, call)
      const end = given.end ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop')
      return { text, toolCalls, end, usage, model: name, cached: false }
    },
  }
}
