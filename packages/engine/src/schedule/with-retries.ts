import { setTimeout as sleep } from 'node:timers/promises'
import { isR2eError } from '@r2e/spec'

const WAITS_MS = [500, 3000]

/** Tries again after a fault that time may cure, with a growing wait; every other fault is thrown at once. */
export async function withRetries<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (const wait of WAITS_MS) {
    try {
      return await task()
    } catch (error) {
      signal.throwIfAborted()
      if (!isR2eError(error) || error.fault !== 'transient') throw error
      await sleep(wait, undefined, { signal })
    }
  }
  return task()
}
