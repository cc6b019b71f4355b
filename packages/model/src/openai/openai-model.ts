import { isR2eError, type LanguageModel, R2eError } from '@r2e/spec'
import type OpenAI from 'openai'
import { probeBy } from '../probe.ts'
import { scrubJson } from '../scrub.ts'
import { connectionFault, timeoutFault } from './connection-fault.ts'
import { FIRST_DIALECT, learnDialect } from './dialect.ts'
import { type Endpoint, type EndpointOptions, resolveEndpoint } from './endpoint.ts'
import { endpointFetch } from './endpoint-fetch.ts'
import { nearNames } from './near-names.ts'
import { parseReply } from './parse-reply.ts'
import { renderBody } from './request-body.ts'

export interface OpenAiModelOptions extends EndpointOptions {
  /** Limit of one call, from sending to the last byte (default 120). */
  readonly timeoutSec?: number | undefined
  readonly fetch?: typeof globalThis.fetch | undefined
}

/**
 * A model behind any endpoint that speaks the protocol of OpenAI's chat completions. One call is one request: retries are
 * a layer. @throws R2eError `unknown_provider`, `bad_endpoint`, `no_model_key` (fault user)
 */
export function createOpenAiModel(options: OpenAiModelOptions): LanguageModel {
  const { timeoutSec = 120, fetch = globalThis.fetch } = options
  const endpoint = resolveEndpoint(options)
  let client: Promise<OpenAI> | undefined
  let dialect = FIRST_DIALECT

  /** Says in a probe which models there are where the wanted one is not. */
  async function namingOthers(fault: R2eError, signal: AbortSignal): Promise<R2eError> {
    if (fault.code !== 'unknown_model') return fault
    client ??= openClient(endpoint, fetch)
    const names = await listModels(await client, signal)
    const near = nearNames(endpoint.model, names)
    if (names.length === 0) return fault
    const fix = near.length > 0 ? `did you mean ${near.join(' or ')}?` : `it has: ${names.slice(0, 10).join(', ')}`
    return new R2eError(fault.code, fault.fault, fault.message, { fix, details: fault.details })
  }
  const complete: LanguageModel['complete'] = async (request, call) => {
    call.signal.throwIfAborted()
    client ??= openClient(endpoint, fetch)
    const { completions } = (await client).chat
    const deadline = AbortSignal.timeout(timeoutSec * 1000)
    const signal = AbortSignal.any([call.signal, deadline])
    for (;;) {
      const spoken = dialect
      const body = renderBody(endpoint, request, spoken)
      try {
        const reply: unknown = await completions.create(body, { signal })
        return parseReply(scrubJson(reply, endpoint.key ? [endpoint.key.value] : []), endpoint)
      } catch (error) {
        call.signal.throwIfAborted()
        if (deadline.aborted) throw timeoutFault(timeoutSec, endpoint)
        const fault = faultOf(error, endpoint)
        if (!isR2eError(fault)) throw fault
        if (!learnDialect(spoken, fault)) throw call.phase === 'probe' ? await namingOthers(fault, call.signal) : fault
        dialect = learnDialect(dialect, fault) ?? dialect // another call may have learned it meanwhile
      }
    }
  }

  return {
    name: endpoint.name,
    identity: { provider: options.provider, model: endpoint.model, endpoint: endpoint.url },
    complete,
    probe: (signal) => probeBy(complete, signal),
  }
}

/** The SDK reads many variables of the environment; what matters of them is set here or left out by the fetch. */
async function openClient(endpoint: Endpoint, fetch: typeof globalThis.fetch): Promise<OpenAI> {
  const { default: OpenAI } = await import('openai')
  return new OpenAI({
    baseURL: endpoint.url,
    apiKey: endpoint.key?.value ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
    fetch: endpointFetch(endpoint, fetch),
  })
}

/** The SDK wraps what its fetch throws. */
function faultOf(error: unknown, endpoint: Endpoint): unknown {
  for (let at = error; at instanceof Error; at = at.cause) if (isR2eError(at)) return at
  if (error instanceof SyntaxError) return parseFault(endpoint)
  return connectionFault(error, endpoint)
}

function parseFault(endpoint: Endpoint): unknown {
  try {
    return parseReply('', endpoint)
  } catch (error) {
    return error
  }
}

async function listModels(client: OpenAI, signal: AbortSignal): Promise<readonly string[]> {
  try {
    return (await client.models.list({ signal })).data.map(({ id }) => String(id))
  } catch {
    signal.throwIfAborted()
    return []
  }
}
