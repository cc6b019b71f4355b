import { type ModelReply, type ModelUsage, R2eError, type ToolCall } from '@r2e/spec'
import * as v from 'valibot'
import type { Endpoint } from './endpoint.ts'

const tokens = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** No prompt has no tokens: an endpoint that says so does not count. */
const Usage = v.object({
  prompt_tokens: v.pipe(tokens, v.minValue(1)),
  completion_tokens: tokens,
  total_tokens: v.nullish(tokens),
})

const Call = v.object({
  id: v.nullish(v.string()),
  function: v.object({
    name: v.string(),
    arguments: v.nullish(v.union([v.string(), v.record(v.string(), v.unknown())])),
  }),
  extra_content: v.nullish(v.record(v.string(), v.any())),
})

/** A text in parts; those that are no text, as thoughts, are left out. */
const Parts = v.pipe(
  v.array(v.object({ text: v.optional(v.string(), '') })),
  v.transform((parts) => parts.map(({ text }) => text).join('')),
)

const Completion = v.object({
  choices: v.pipe(
    v.array(
      v.object({
        finish_reason: v.nullish(v.string()),
        message: v.object({
          content: v.nullish(v.union([v.string(), Parts])),
          refusal: v.nullish(v.string()),
          tool_calls: v.nullish(v.array(Call)),
        }),
      }),
    ),
    v.minLength(1),
  ),
  usage: v.optional(v.fallback(v.nullish(Usage), undefined)),
})

/** @throws R2eError `bad_model_reply` (transient) */
export function parseReply(body: unknown, { name, url, keepsExtra }: Endpoint): ModelReply {
  const parsed = v.safeParse(Completion, body)
  if (!parsed.success) {
    const [issue] = parsed.issues
    const where = v.getDotPath(issue) ?? 'the whole'
    const what = typeof body === 'string' ? 'a text that is no JSON' : `a reply in which ${where} is wrong`
    throw new R2eError('bad_model_reply', 'transient', `${name} at ${url} sent ${what}`, {
      fix: 'check that the endpoint is the base URL of an OpenAI-compatible API; most end in /v1',
      details: { model: name, endpoint: url },
    })
  }
  const { choices, usage } = parsed.output
  const { message, finish_reason } = choices[0]!
  const toolCalls = (message.tool_calls ?? []).map((call, index) => toolCall(call, index, keepsExtra))
  return {
    text: message.content ?? message.refusal ?? '',
    toolCalls,
    end: message.refusal ? 'content_filter' : endOf(finish_reason, toolCalls),
    usage: usage ? usageOf(usage) : undefined,
    model: name,
    cached: false,
  }
}

function toolCall(call: v.InferOutput<typeof Call>, index: number, keepsExtra: boolean): ToolCall {
  const { name, arguments: given = '' } = call.function
  return {
    id: call.id || `call_${index}`,
    name,
    arguments: typeof given === 'string' ? given : JSON.stringify(given ?? {}),
    ...(keepsExtra && call.extra_content && { extra: call.extra_content }),
  }
}

/** Some endpoints leave thinking out of the completion, and bill it. */
function usageOf({ prompt_tokens, completion_tokens, total_tokens }: v.InferOutput<typeof Usage>): ModelUsage {
  return {
    inputTokens: prompt_tokens,
    outputTokens: Math.max(completion_tokens, (total_tokens ?? 0) - prompt_tokens),
  }
}

function endOf(reason: string | null | undefined, toolCalls: readonly ToolCall[]): ModelReply['end'] {
  if (reason === 'length' || reason === 'content_filter') return reason
  return toolCalls.length > 0 ? 'tool_calls' : 'stop'
}
