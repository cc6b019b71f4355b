import { join } from 'node:path'
import type { ModelLayer, ModelReply } from '@r2e/spec'
import { requestDigest } from '../request-digest.ts'
import { readReply, writeReply } from './reply-file.ts'

export interface CacheOptions {
  /** Folder of replies; may be shared by runs and processes. */
  readonly directory: string
}

/**
 * Answers a request that was answered before, for nothing. Equal requests at one time are one call. Lies outside of all
 * other layers, so that a reply of a fallback is kept for the chain that was asked.
 */
export function withCache({ directory }: CacheOptions): ModelLayer {
  return (inner) => {
    const inFlight = new Map<string, Promise<ModelReply>>()

    async function call(path: string, work: () => Promise<ModelReply>): Promise<ModelReply> {
      const stored = await readReply(path)
      if (stored) return stored
      const reply = await work()
      await writeReply(path, reply)
      return reply
    }

    return {
      ...inner,
      async complete(request, context) {
        const hex = requestDigest(request, inner.identity).slice('sha256:'.length)
        const path = join(directory, hex.slice(0, 2), `${hex}.json`)
        // Another's failure is not ours, so whoever waited calls then itself.
        for (let other = inFlight.get(path); other; other = inFlight.get(path)) {
          await endOrAbort(other, context.signal)
          context.signal.throwIfAborted()
        }
        const own = call(path, () => inner.complete(request, context))
        inFlight.set(path, own)
        try {
          return await own
        } finally {
          inFlight.delete(path)
        }
      },
    }
  }
}

async function endOrAbort(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const done = () => resolve()
  signal.addEventListener('abort', done)
  work.then(done, done)
  await promise
  signal.removeEventListener('abort', done)
}
