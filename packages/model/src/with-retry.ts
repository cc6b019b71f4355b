import { isR2eError, type ModelLayer, type R2eError } from '@r2e/spec'
import { probeBy } from './probe.ts'

export interface RetryOptions {
  /** Calls in all (default 6, which wait about a minute together). */
  readonly attempts?: number | undefined
  /** Waits; rejects with the signal's reason where it is aborted. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<unknown>
  /** 0 up to 1: spreads the waits of calls that failed together. */
  random(): number
}

const FIRST_WAIT_MS = 2000
/** An endpoint that asks for a longer wait is given up at once: coming earlier would only be refused again. */
const LONGEST_WAIT_MS = 120_000

/** What a probe need not ask again: somebody has to start it, name it right, or allow more time. */
const DEFINITE_IN_A_PROBE: ReadonlySet<string> = new Set(['model_unreachable', 'model_timeout'])

/** Calls again, with a growing wait, after a fault that time may cure. */
export function withRetry({ attempts = 6, sleep, random }: RetryOptions): ModelLayer {
  return (inner) => {
    const complete: typeof inner.complete = async (request, call) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await inner.complete(request, call)
        } catch (error) {
          call.signal.throwIfAborted()
          if (attempt >= attempts || !isR2eError(error) || error.fault !== 'transient') throw error
          if (call.phase === 'probe' && DEFINITE_IN_A_PROBE.has(error.code)) throw error
          const wait = waitAfter(error, attempt, random())
          if (wait > LONGEST_WAIT_MS) throw error
          await sleep(wait, call.signal)
        }
      }
    }
    return { ...inner, complete, probe: (signal) => probeBy(complete, signal) }
  }
}

/** What the endpoint asks for, never less, and up to a tenth more; else 2, 4, 8 … seconds, or up to half of that less. */
function waitAfter(error: R2eError, attempt: number, random: number): number {
  const asked = error.details.retryAfterMs
  if (typeof asked === 'number') return Math.ceil(asked * (1 + random / 10))
  const most = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS)
  return Math.round(most * (1 - random / 2))
}
