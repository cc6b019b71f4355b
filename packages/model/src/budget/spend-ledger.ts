import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type SpendEntry, userError } from '@r2e/spec'
import * as v from 'valibot'

/** The file of what a run reserved and spent, one line for each entry. It has one writer. */
export interface SpendLedger extends AsyncDisposable {
  /** What earlier processes wrote. */
  readonly earlier: readonly SpendEntry[]
  /** Resolves when the entry is on disk. */
  record(entry: SpendEntry): Promise<void>
}

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const SpendFields = v.object({ inputTokens: count, outputTokens: count, nanoUsd: v.optional(count) })
const Entry = v.variant('type', [
  v.object({
    type: v.literal('reserve'),
    call: count,
    worst: SpendFields,
    phase: v.picklist(['probe', 'bootstrap', 'instructions', 'judge', 'synthesis']),
    task: v.optional(v.string()),
    model: v.string(),
  }),
  v.object({ type: v.literal('settle'), call: count, spend: v.union([v.literal('unknown'), SpendFields]) }),
])

/** A last line without an end is cut: its call was never made. @throws R2eError `damaged_ledger` */
export async function openSpendLedger(path: string): Promise<SpendLedger> {
  await mkdir(dirname(path), { recursive: true })
  const file = await open(path, 'a+')
  try {
    const text = await file.readFile('utf8')
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    if (whole.length < text.length) await file.truncate(Buffer.byteLength(whole))
    let turn: Promise<void> = Promise.resolve()
    return {
      earlier: whole
        .split('\n')
        .slice(0, -1)
        .map((line, index) => parseEntry(line, `${path}:${index + 1}`)),
      record(entry) {
        // after a failed write none is made any more: it would stand behind half a line
        turn = turn.then(async () => {
          await file.appendFile(`${JSON.stringify(entry)}\n`)
          await file.datasync()
        })
        return turn
      },
      [Symbol.asyncDispose]: () => turn.catch(() => {}).then(() => file.close()),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

function parseEntry(line: string, where: string): SpendEntry {
  try {
    return v.parse(Entry, JSON.parse(line))
  } catch (cause) {
    throw userError('damaged_ledger', `${where} is no entry of a spend ledger`, {
      fix: 'restore the file; without it nobody knows what was spent',
      cause,
    })
  }
}
