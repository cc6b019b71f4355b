import { R2eError } from '@r2e/spec'
import type { Endpoint } from './endpoint.ts'

/** No connection came about, so nothing was sent. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host cannot be looked up',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the network',
  ETIMEDOUT: 'the connection is not accepted in time',
  UND_ERR_CONNECT_TIMEOUT: 'the connection is not accepted in time',
}

/** What a failed exchange means that got no whole response. */
export function connectionFault(error: unknown, { name, url }: Endpoint): R2eError {
  const details = { model: name, endpoint: url }
  const code = codeOf(error)
  const reason =
    REASONS[code] ?? (/CERT|TLS|SSL|VERIFY/.test(code) ? `its certificate is not accepted, ${code}` : undefined)
  if (reason !== undefined)
    return new R2eError('model_unreachable', 'transient', `the model endpoint ${url} does not answer: ${reason}`, {
      fix: 'start it, or check --llm-endpoint and the network',
      details: { ...details, billed: false },
    })
  return new R2eError('model_connection_lost', 'transient', `the connection to ${name} at ${url} broke`, { details })
}

export function timeoutFault(seconds: number, { name, url }: Endpoint): R2eError {
  return new R2eError('model_timeout', 'transient', `${name} at ${url} did not answer within ${seconds} s`, {
    fix: 'allow more time: llm.timeout_sec',
    details: { model: name, endpoint: url },
  })
}

/** The code of the error, or of what caused it. */
function codeOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause)
    if ('code' in at && typeof at.code === 'string' && at.code !== '') return at.code
  return ''
}
