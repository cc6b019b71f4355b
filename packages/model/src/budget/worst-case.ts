import { encodeUtf8, type ModelPrice, type ModelRequest, type Spend } from '@r2e/spec'
import { costOf } from './price.ts'

/** What a chat template may put around each message, and around tools (some endpoints add instructions of their own). */
const MESSAGE_TOKENS = 16
const TOOLS_TOKENS = 1024
const FRAME_TOKENS = 64

/** The most that a request can use: a token is at least one byte of the text it stands for. */
export function worstCase(request: ModelRequest, price: ModelPrice | undefined): Spend {
  const { messages, tools = [], maxOutputTokens } = request
  const bytes = encodeUtf8(JSON.stringify({ messages, tools })).length
  const frame = FRAME_TOKENS + messages.length * MESSAGE_TOKENS + (tools.length > 0 ? TOOLS_TOKENS : 0)
  const usage = { inputTokens: bytes + frame, outputTokens: maxOutputTokens }
  return { ...usage, nanoUsd: costOf(usage, price) }
}
