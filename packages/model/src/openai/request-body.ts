import type { ModelMessage, ModelRequest, ModelTool } from '@r2e/spec'
import type {
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions'
import type { Dialect } from './dialect.ts'
import type { Endpoint } from './endpoint.ts'

export function renderBody(
  { model, keepsExtra }: Endpoint,
  request: ModelRequest,
  dialect: Dialect,
): ChatCompletionCreateParamsNonStreaming {
  const { tools = [], toolChoice = 'auto', temperature, seed } = request
  return {
    model,
    messages: request.messages.map((message) => renderMessage(message, keepsExtra)),
    ...(tools.length > 0 && { tools: tools.map(renderTool), tool_choice: toolChoice }),
    [dialect.limit]: request.maxOutputTokens,
    ...(temperature !== undefined && dialect.temperature && { temperature }),
    ...(seed !== undefined && dialect.seed && { seed }),
  }
}

function renderMessage(message: ModelMessage, keepsExtra: boolean): ChatCompletionMessageParam {
  const content = message.text.toWellFormed()
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.callId, content }
  if (message.role !== 'assistant') return { role: message.role, content }
  const { toolCalls = [] } = message
  if (toolCalls.length === 0) return { role: 'assistant', content }
  return {
    role: 'assistant',
    content: content === '' ? null : content,
    tool_calls: toolCalls.map(({ id, name, arguments: text, extra }) => ({
      id,
      type: 'function',
      function: { name, arguments: text.toWellFormed() },
      ...(keepsExtra && extra && { extra_content: extra }),
    })),
  }
}

function renderTool({ name, description, parameters }: ModelTool) {
  return { type: 'function', function: { name, description, parameters: { ...parameters } } } as const
}
