import { appendFile, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { ModelLayer } from '@r2e/spec'
import { requestDigest } from '../request-digest.ts'
import { scrubJson } from '../scrub.ts'

export interface TranscriptOptions {
  /** Lines of JSON are appended to it. */
  readonly path: string
  /** Values that must not stand in the file, as keys: they are replaced in requests and replies. */
  readonly secrets: readonly string[]
}

/** Records every request with its reply, for `createReplayModel`. Outermost, it records what the cache answered as well. */
export function withTranscript({ path, secrets }: TranscriptOptions): ModelLayer {
  let turn: Promise<unknown> = Promise.resolve()
  const append = (line: string): Promise<unknown> => {
    const written = turn.then(() => mkdir(dirname(path), { recursive: true })).then(() => appendFile(path, line))
    turn = written.catch(() => {})
    return written
  }
  return (inner) => ({
    ...inner,
    async complete(request, call) {
      const reply = await inner.complete(request, call)
      const { phase, task } = call
      const { cached: _, nanoUsd: __, ...kept } = reply
      const entry = { digest: requestDigest(request), phase, task, ...scrubJson({ request, reply: kept }, secrets) }
      await append(`${JSON.stringify(entry)}\n`)
      return reply
    },
  })
}
