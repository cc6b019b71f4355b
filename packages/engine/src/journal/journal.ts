import { type FileHandle, open, readFile, truncate } from 'node:fs/promises'
import { type CandidateEnd, type JsonObject, R2eError } from '@r2e/spec'
import * as v from 'valibot'

/** First line of a journal: what the run was started with. */
export interface JournalHeader {
  readonly schema: 'r2e.journal/1'
  readonly run: string
  readonly toolVersion: string
  readonly startedAt: string
  /** Digest of everything in the configuration that can change a task. */
  readonly configDigest: string
  readonly config: JsonObject
  readonly head: string
}

/** One settled candidate; a later record of the same id revises it. Written after the blobs it names are on disk. */
export interface SettledRecord {
  readonly id: string
  readonly title: string
  readonly end: CandidateEnd
  /** Blob of the task of an admitted candidate. */
  readonly result?: string | undefined
  /** True for the verdict on a task that was admitted before. */
  readonly revised?: boolean | undefined
  /** Tests seen to move, which no other task of the repository may list. */
  readonly restless?: readonly string[] | undefined
}

export interface Journal {
  readonly header: JournalHeader
  readonly settled: ReadonlyMap<string, SettledRecord>
  append(record: SettledRecord): Promise<void>
  close(): Promise<void>
}

export async function createJournal(path: string, header: JournalHeader): Promise<Journal> {
  const file = await open(path, 'wx')
  await appendLine(file, header)
  return journal(header, new Map(), file)
}

/** Replays a journal; a torn last line is cut. @throws R2eError `journal_damaged` */
export async function openJournal(path: string): Promise<Journal> {
  const { header, settled, length } = await replay(path)
  await truncate(path, length)
  return journal(header, settled, await open(path, 'a'))
}

export async function readHeader(path: string): Promise<JournalHeader | undefined> {
  return replay(path).then(
    ({ header }) => header,
    () => undefined,
  )
}

const HeaderSchema = v.looseObject({
  schema: v.literal('r2e.journal/1'),
  run: v.string(),
  configDigest: v.string(),
  config: v.record(v.string(), v.unknown()),
  head: v.string(),
})
const RecordSchema = v.looseObject({
  id: v.string(),
  title: v.string(),
  end: v.variant('state', [
    v.looseObject({ state: v.literal('admitted'), taskId: v.string() }),
    v.looseObject({ state: v.literal('skipped'), reason: v.string() }),
    v.looseObject({ state: v.literal('failed'), fault: v.picklist(['bug', 'transient']) }),
  ]),
  result: v.optional(v.string()),
  revised: v.optional(v.boolean()),
  restless: v.optional(v.array(v.string())),
})

async function replay(path: string) {
  const bytes = await readFile(path)
  const length = bytes.lastIndexOf(10) + 1
  const lines = bytes.subarray(0, length).toString('utf8').split('\n').filter(Boolean)
  const settled = new Map<string, SettledRecord>()
  try {
    const [first, ...others] = lines.map((line) => JSON.parse(line))
    const header = v.parse(HeaderSchema, first) as unknown as JournalHeader
    for (const record of v.parse(v.array(RecordSchema), others)) settled.set(record.id, record as SettledRecord)
    return { header, settled, length }
  } catch (cause) {
    throw new R2eError('journal_damaged', 'user', `${path} is not a readable journal`, {
      fix: 'start the run anew without --resume',
      cause,
    })
  }
}

function journal(header: JournalHeader, settled: Map<string, SettledRecord>, file: FileHandle): Journal {
  let last: Promise<void> = Promise.resolve()
  return {
    header,
    settled,
    append(record) {
      last = last.then(async () => {
        await appendLine(file, record)
        settled.set(record.id, record)
      })
      return last
    },
    async close() {
      await last.catch(() => {})
      await file.close()
    },
  }
}

async function appendLine(file: FileHandle, value: unknown): Promise<void> {
  await file.appendFile(`${JSON.stringify(value)}\n`)
  await file.datasync()
}
