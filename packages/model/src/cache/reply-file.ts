import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { ModelReply } from '@r2e/spec'
import * as v from 'valibot'
import { StoredReply, storedReply } from '../stored-reply.ts'

const ReplyFile = v.object({ schema: v.literal('r2e.reply/1'), reply: StoredReply })

/** A file that is absent, damaged or of another version holds no reply. */
export async function readReply(path: string): Promise<ModelReply | undefined> {
  const text = await readFile(path, 'utf8').catch(ifAbsent)
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), ReplyFile), text)
  return parsed.success ? storedReply(parsed.output.reply) : undefined
}

/** A reader sees the whole reply or none, also after a crash. */
export async function writeReply(path: string, { cached: _, nanoUsd, ...answer }: ModelReply): Promise<void> {
  const reply = { ...answer, paidNanoUsd: nanoUsd }
  await mkdir(dirname(path), { recursive: true })
  const temporary = `${path}.${randomUUID()}.tmp`
  try {
    await writeSynced(temporary, JSON.stringify({ schema: 'r2e.reply/1', reply }))
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx')
  try {
    await file.writeFile(text)
    await file.datasync()
  } finally {
    await file.close()
  }
}

function ifAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
