import type { ModelMessage, ModelReply } from '@r2e/spec'
import type { Scrub } from './scrub-secrets.ts'

/** About 40,000 tokens. */
const LARGE = 160_000
/** Answers that a compaction leaves whole, counted from the end. */
const RECENT = 6
const SHORT = 160

/**
 * Messages, append only, so that an endpoint may keep its cache of the beginning. When they have grown large, all old
 * answers are shortened at once: the cache is lost once in many turns.
 */
export interface Conversation {
  readonly messages: readonly ModelMessage[]
  reply(reply: ModelReply): void
  /** To the first call of the last reply, or as a message of its own where it had none. */
  answer(text: string): void
  /** Answers whether anything became shorter. */
  compact(recent?: number): boolean
}

export function openConversation(system: string, seed: string, scrub: Scrub): Conversation {
  const messages: ModelMessage[] = [
    { role: 'system', text: scrub(system) },
    { role: 'user', text: scrub(seed) },
  ]
  let open: readonly string[] = []
  const compact = (recent: number): boolean => {
    const old = messages.flatMap(({ role }, index) => (index > 1 && role !== 'assistant' ? [index] : []))
    const long = old.slice(0, Math.max(0, old.length - recent)).filter((index) => messages[index]!.text.length > SHORT)
    for (const index of long) messages[index] = { ...messages[index]!, text: shortened(messages[index]!.text) }
    return long.length > 0
  }
  return {
    messages,
    reply({ text, toolCalls }) {
      open = toolCalls.map(({ id }) => id)
      const calls = toolCalls.map((call) => ({ ...call, arguments: sendable(scrub(call.arguments)) }))
      // an endpoint may refuse a message that says and calls nothing
      const said = text === '' && calls.length === 0 ? '(nothing)' : scrub(text)
      messages.push({ role: 'assistant', text: said, ...(calls.length > 0 && { toolCalls: calls }) })
    },
    answer(text) {
      const [first, ...others] = open
      if (first === undefined) messages.push({ role: 'user', text: scrub(text) })
      else messages.push({ role: 'tool', callId: first, text: scrub(text) })
      for (const callId of others)
        messages.push({ role: 'tool', callId, text: 'Not done: one call per turn. Only the first one was done.' })
      open = []
      if (messages.reduce((sum, message) => sum + sizeOf(message), 0) > LARGE) compact(RECENT)
    },
    compact: (recent = RECENT) => compact(recent),
  }
}

function sizeOf(message: ModelMessage): number {
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : []
  return calls.reduce((sum, call) => sum + call.arguments.length, message.text.length)
}

function shortened(text: string): string {
  const line = text.split('\n', 1)[0]!.slice(0, SHORT - 60)
  return `${line} [shortened: ${text.length} characters]`
}

/** Endpoints refuse a conversation in which the arguments of a call are no JSON, whoever wrote them. */
function sendable(json: string): string {
  try {
    JSON.parse(json)
    return json
  } catch {
    return '{}'
  }
}
