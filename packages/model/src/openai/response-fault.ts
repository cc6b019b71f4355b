import { type Fault, type JsonObject, R2eError } from '@r2e/spec'
import * as v from 'valibot'
import { scrubText } from '../scrub.ts'
import type { Endpoint } from './endpoint.ts'
import { retryAfter } from './retry-after.ts'

/** A refusal as the endpoint worded it, whatever the shape. */
interface Refusal {
  readonly status: number
  readonly message: string
  readonly code: string
  /** A parameter that this model does not take. */
  readonly unsupported: string | undefined
  /** Whether the body is JSON with a message: an answer of the API, not of a server before it. */
  readonly spoken: boolean
}

/** What an error response means. `details.billed` is false where nothing was generated for certain: the request was refused. */
export async function responseFault(response: Response, endpoint: Endpoint): Promise<R2eError> {
  const refusal = readRefusal(response.status, await response.text(), endpoint)
  const verdict = judge(refusal)
  const { name, url, key } = endpoint
  const said = refusal.message === '' ? '' : `: ${refusal.message}`
  const wait = retryAfter(response.headers)
  const location = response.headers.get('location')
  return new R2eError(
    verdict.code,
    verdict.fault,
    verdict.code === 'bad_endpoint'
      ? `${url} is no OpenAI-compatible endpoint: it answers ${refusal.status}${location ? ` and leads to ${target(location, url)}` : said}`
      : `${name} at ${url} ${verdict.what} (${refusal.status}${said})`,
    {
      ...fixOf(verdict.code, key?.variable),
      details: {
        model: name,
        endpoint: url,
        status: refusal.status,
        ...(refusal.unsupported !== undefined && { unsupported: refusal.unsupported }),
        ...(wait !== undefined && { retryAfterMs: wait }),
        ...(refusal.status < 500 && refusal.status !== 408 && { billed: false }),
      } satisfies JsonObject,
    },
  )
}

/** Without the query, which may hold anything. */
function target(location: string, base: string): string {
  const url = URL.canParse(location, base) ? new URL(location, base) : undefined
  return url ? `${url.origin}${url.pathname}` : 'no URL'
}

interface Verdict {
  readonly code: string
  readonly fault: Fault
  readonly what: string
}

const wrongKey =
  /\b(?:invalid|incorrect|no|missing|bad)\b.{0,20}\bapi.?key|\bapi.?key\b.{0,20}\b(?:invalid|not valid|missing)/i
const unknownModel = /\b(?:invalid|unknown|no such) model|\bmodel\b.{0,120}\b(?:not found|not exist)/i
const tooLong =
  /context.?(?:length|window|size)|maximum context|too many (?:input )?tokens|prompt is too long|input is too long/i

function judge({ status, message, code, spoken }: Refusal): Verdict {
  if (status === 401 || status === 403 || (status === 400 && wrongKey.test(message)))
    return { code: 'model_key_refused', fault: 'user', what: 'refuses the key' }
  if (status === 402 || code === 'insufficient_quota')
    return { code: 'model_quota_exhausted', fault: 'user', what: 'has no credit left for this key' }
  if (status === 429) return { code: 'model_busy', fault: 'transient', what: 'limits the rate of calls' }
  if (status === 408 || status === 409 || status >= 500)
    return { code: 'model_failed', fault: 'transient', what: 'failed' }
  if (/^model_not_(?:found|supported)$/.test(code) || (spoken && isUnknownModel(status, message)))
    return { code: 'unknown_model', fault: 'user', what: 'is unknown there' }
  if (status < 400 || status === 404 || status === 405) return { code: 'bad_endpoint', fault: 'user', what: '' }
  if (status === 413 || code === 'context_length_exceeded' || tooLong.test(message))
    return { code: 'model_context_exceeded', fault: 'bug', what: 'takes no request of this length' }
  return { code: 'model_request_refused', fault: 'bug', what: 'refuses the request' }
}

function isUnknownModel(status: number, message: string): boolean {
  return status === 404 ? /\bmodels?\b/i.test(message) : status === 400 && unknownModel.test(message)
}

function fixOf(code: string, variable: string | undefined): { readonly fix?: string } {
  const fixes: Record<string, string> = {
    model_key_refused: variable
      ? `put a valid key into the variable ${variable}`
      : 'name the variable that holds the key: --llm-key-env NAME',
    model_quota_exhausted: 'add credit at the provider, or name another model: --llm PROVIDER/MODEL',
    unknown_model: 'name a model of this endpoint: --llm PROVIDER/MODEL',
    bad_endpoint: 'give the base URL of an OpenAI-compatible API, most end in /v1: --llm-endpoint URL',
  }
  return fixes[code] === undefined ? {} : { fix: fixes[code] }
}

const word = v.fallback(v.optional(v.union([v.string(), v.number()])), undefined)
const ErrorObject = v.object({ message: v.string(), code: word, param: word, type: word })
/** `{ error: {…} }`, a list of it, `{ error: "…" }`, or the fields themselves. */
const ErrorBody = v.union([
  v.pipe(
    v.object({ error: ErrorObject }),
    v.transform(({ error }) => error),
  ),
  v.pipe(
    v.object({ error: v.string() }),
    v.transform(({ error }) => ({ message: error, code: undefined, param: undefined })),
  ),
  ErrorObject,
])

function readRefusal(status: number, text: string, { key }: Endpoint): Refusal {
  const json = v.safeParse(v.pipe(v.string(), v.parseJson()), text)
  const body = v.safeParse(ErrorBody, Array.isArray(json.output) ? json.output[0] : json.output)
  const clean = (raw: string) =>
    scrubText(raw, key ? [key.value] : [])
      .replaceAll(/[\s\p{Cc}]+/gu, ' ')
      .trim()
      .slice(0, 300)
  if (body.success) {
    const { message, code = '', param = '' } = body.output
    const unsupported = /unsupported|not supported/i.test(`${code} ${message}`) ? clean(String(param)) : undefined
    return { status, message: clean(message), code: String(code), unsupported, spoken: true }
  }
  const message = /^\s*</.test(text) ? 'a page of HTML' : clean(text)
  return { status, message, code: '', unsupported: undefined, spoken: false }
}
