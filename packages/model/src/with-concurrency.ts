import type { ModelLayer } from '@r2e/spec'
import { probeBy } from './probe.ts'

/** At most so many calls at one time; others wait for their turn, first come, first served. */
export function withConcurrency(most: number): ModelLayer {
  return (inner) => {
    let free = most
    const queue: (() => void)[] = []
    const leave = () => {
      const next = queue.shift()
      if (next) next()
      else free++
    }
    const complete: typeof inner.complete = async (request, call) => {
      if (free > 0) free--
      else await turn(queue, call.signal)
      try {
        return await inner.complete(request, call)
      } finally {
        leave()
      }
    }
    return { ...inner, complete, probe: (signal) => probeBy(complete, signal) }
  }
}

async function turn(queue: (() => void)[], signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const abort = () => {
    const place = queue.indexOf(resolve)
    if (place < 0) return // its turn has come: the call itself sees the signal
    queue.splice(place, 1)
    reject(signal.reason)
  }
  signal.throwIfAborted()
  signal.addEventListener('abort', abort)
  queue.push(resolve)
  await promise.finally(() => signal.removeEventListener('abort', abort))
}
