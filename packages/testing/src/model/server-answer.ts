import type { JsonObject } from '@r2e/spec'
import type { ChatRequest } from './chat-request.ts'

/** What the server does with one call. */
export type ServerAnswer =
  | ({ readonly kind: 'reply' } & ServerReply)
  /** Any response: an error, a page, broken JSON. A text is sent as it is. */
  | {
      readonly kind: 'response'
      readonly status?: number | undefined
      readonly headers?: Readonly<Record<string, string>> | undefined
      readonly body: string | JsonObject
    }
  /** Sends a part of a reply and then nothing more. */
  | { readonly kind: 'stall'; readonly after: SentPart }
  /** Sends a part of a reply and then ends the connection. */
  | { readonly kind: 'cut'; readonly after: SentPart }

export type SentPart = 'nothing' | 'headers' | 'half'

export interface ServerReply {
  readonly text?: string | null | undefined
  readonly toolCalls?: readonly ServerToolCall[] | undefined
  /** Default: `tool_calls` with calls, else `stop`. */
  readonly finish?: string | undefined
  /** Default: a count of characters; null leaves it out. */
  readonly usage?: JsonObject | null | undefined
}

export interface ServerToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
  /** Further fields of the call. */
  readonly fields?: JsonObject | undefined
}

export interface ErrorDetails {
  readonly code?: string | null | undefined
  readonly param?: string | null | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** An error in the words of the protocol. */
export function errorAnswer(status: number, message: string, details: ErrorDetails = {}): ServerAnswer {
  const { code = null, param = null, headers } = details
  return {
    kind: 'response',
    status,
    headers,
    body: { error: { message, type: status < 500 ? 'invalid_request_error' : 'server_error', param, code } },
  }
}

export function chatCompletion(
  request: ChatRequest,
  { text = '', toolCalls = [], finish, usage }: ServerReply,
): JsonObject {
  const calls = toolCalls.map(({ id, name, arguments: given, fields }) => ({
    id,
    type: 'function',
    function: { name, arguments: given },
    ...fields,
  }))
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 0,
    model: request.model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text, refusal: null, ...(calls.length > 0 && { tool_calls: calls }) },
        logprobs: null,
        finish_reason: finish ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
      },
    ],
    ...(usage !== null && { usage: usage ?? countedUsage(JSON.stringify(request.messages), text ?? '') }),
  }
}

function countedUsage(input: string, output: string): JsonObject {
  const [prompt_tokens, completion_tokens] = [Math.ceil(input.length / 4), Math.ceil(output.length / 4) + 1]
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
}
