import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { type LanguageModel, type ModelCall, type ModelReply, type ModelRequest, userError } from '@r2e/spec'
import * as v from 'valibot'
import { requestDigest } from '../request-digest.ts'
import { StoredReply, storedReply } from '../stored-reply.ts'

export interface ReplayModelOptions {
  /** A file that `withTranscript` wrote. */
  readonly transcript: string
}

const Line = v.pipe(v.string(), v.parseJson(), v.object({ digest: v.string(), reply: StoredReply }))

type Replies = ReadonlyMap<string, ModelReply>

/** Answers what was recorded, for nothing; an equal request always gets the reply that was recorded first. */
export function createReplayModel({ transcript }: ReplayModelOptions): LanguageModel {
  const name = `replay/${basename(transcript)}`
  let replies: Promise<Replies> | undefined
  const read = () => (replies ??= readTranscript(transcript))
  return {
    name,
    identity: { provider: 'replay', model: basename(transcript) },
    async probe(signal) {
      signal.throwIfAborted()
      try {
        return { ok: true, detail: `${name} holds ${(await read()).size} replies` }
      } catch (error) {
        const { code, message, fix } = error as ReturnType<typeof userError>
        return { ok: false, code, detail: message, fix }
      }
    },
    async complete(request, call) {
      call.signal.throwIfAborted()
      const digest = requestDigest(request)
      const reply = (await read()).get(digest)
      if (!reply) throw notRecorded(transcript, digest, request, call)
      return reply
    },
  }
}

async function readTranscript(path: string): Promise<Replies> {
  const text = await readFile(path, 'utf8').catch((cause) => {
    throw userError('no_transcript', `${path} cannot be read`, { fix: 'record a run first, or mend the path', cause })
  })
  const replies = new Map<string, ModelReply>()
  for (const [index, line] of text.split('\n').entries()) {
    if (line === '') continue
    const parsed = v.safeParse(Line, line)
    if (!parsed.success)
      throw userError('bad_transcript', `${path}:${index + 1} is no line of a transcript`, {
        fix: 'record the run again',
      })
    const { digest, reply } = parsed.output
    if (!replies.has(digest)) replies.set(digest, storedReply(reply))
  }
  return replies
}

function notRecorded(transcript: string, digest: string, request: ModelRequest, { phase, task }: ModelCall): Error {
  const asked = request.messages.at(-1)?.text.trim().split('\n')[0]?.slice(0, 80) ?? ''
  const where = `${phase}${task === undefined ? '' : `, ${task}`}`
  return userError('reply_not_recorded', `${transcript} has no reply to ${digest} (${where}): "${asked}"`, {
    fix: 'record the run again with the same inputs and version',
    details: { digest, phase, ...(task !== undefined && { task }) },
  })
}
