import type { ModelCall, ModelRequest } from '@r2e/spec'
import { isR2eError, type R2eError } from '@r2e/spec'

export const asking = (text: string, maxOutputTokens = 50): ModelRequest => ({
  messages: [{ role: 'user', text }],
  maxOutputTokens,
})

export const calling = (call: Partial<ModelCall> = {}): ModelCall => ({
  phase: 'synthesis',
  signal: new AbortController().signal,
  ...call,
})

/** The fault that a call ends with. */
export async function faultOf(work: Promise<unknown>): Promise<R2eError> {
  const error = await work.then(
    (value) => new Error(`no fault but ${JSON.stringify(value)}`),
    (thrown) => thrown,
  )
  if (!isR2eError(error)) throw error
  return error
}

/** As text, with everything that a report of it may show. */
export const shown = (fault: R2eError): string =>
  [fault.stack, fault.message, fault.fix, JSON.stringify(fault.details), JSON.stringify(fault), String(fault.cause)].join('\n')
