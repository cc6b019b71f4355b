import type { JsonValue, ModelReply } from '@r2e/spec'
import * as v from 'valibot'

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** A reply as it lies in a file. */
export const StoredReply = v.object({
  text: v.string(),
  toolCalls: v.array(
    v.object({
      id: v.string(),
      name: v.string(),
      arguments: v.string(),
      extra: v.optional(
        v.record(
          v.string(),
          v.custom<JsonValue>((value) => value !== undefined),
        ),
      ),
    }),
  ),
  end: v.picklist(['stop', 'length', 'tool_calls', 'content_filter']),
  usage: v.optional(v.object({ inputTokens: count, outputTokens: count })),
  model: v.string(),
  paidNanoUsd: v.optional(count),
})

/** How a reply is handed out that no model was called for. */
export function storedReply(stored: v.InferOutput<typeof StoredReply>): ModelReply {
  return { ...stored, cached: true, nanoUsd: 0 }
}
