import type { JsonObject } from '@r2e/spec'

/** The body of a call, as far as the server looks at it. */
export interface ChatRequest {
  readonly model: string
  readonly messages: readonly ChatMessage[]
  readonly tools?: readonly JsonObject[]
  readonly tool_choice?: string
  readonly max_tokens?: number
  readonly max_completion_tokens?: number
  readonly temperature?: number
  readonly seed?: number
  readonly stream?: boolean
}

export interface ChatMessage {
  readonly role: string
  readonly content: string | null
  readonly tool_calls?: readonly (JsonObject & { readonly id: string })[]
  readonly tool_call_id?: string
}

/** What the real endpoint would refuse in a request, or undefined. */
export function protocolError(body: ChatRequest | undefined): string | undefined {
  if (typeof body?.model !== 'string') return 'you must provide a model parameter'
  if (body.stream === true) return 'streaming is not supported here'
  if (!Array.isArray(body.messages) || body.messages.length === 0) return "[] is too short - 'messages'"
  if (body.tool_choice !== undefined && body.tools === undefined) return "'tool_choice' is only allowed with 'tools'"
  return messagesError(body.messages)
}

/** Every call of a tool is answered by the messages that follow it, and nothing else is. */
function messagesError(messages: readonly ChatMessage[]): string | undefined {
  let open: string[] = []
  for (const { role, content, tool_calls, tool_call_id } of messages) {
    if (role === 'tool') {
      if (!open.includes(tool_call_id ?? '')) return "messages with role 'tool' must answer a preceding 'tool_calls'"
      open = open.filter((id) => id !== tool_call_id)
      continue
    }
    if (open.length > 0) return `the tool_calls ${open.join(', ')} have no answer`
    if (!['system', 'user', 'assistant'].includes(role)) return `invalid role ${role}`
    if (typeof content !== 'string' && tool_calls === undefined) return `invalid content of a message of ${role}`
    open = (tool_calls ?? []).map(({ id }) => id)
  }
  return open.length > 0 ? `the tool_calls ${open.join(', ')} have no answer` : undefined
}
