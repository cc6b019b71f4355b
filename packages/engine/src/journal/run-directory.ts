import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type JsonObject, type JsonValue, R2eError, userError } from '@r2e/spec'
import { createJournal, type Journal, type JournalHeader, openJournal, readHeader } from './journal.ts'

/** `.r2e/runs/<run>/`: journal.jsonl, lock, candidates/<id>/ with the evidence of each. */
export interface RunDirectory extends AsyncDisposable {
  readonly path: string
  readonly journal: Journal
  readonly resumed: boolean
}

export async function startRun(runs: string, header: JournalHeader): Promise<RunDirectory> {
  const path = join(runs, header.run)
  await mkdir(path, { recursive: true })
  const unlock = await lock(path)
  const journal = await createJournal(join(path, 'journal.jsonl'), header)
  return runDirectory(path, journal, false, unlock)
}

/** @throws R2eError `no_run_to_resume`, `run_differs`, `run_locked` (fault user) */
export async function resumeRun(runs: string, which: string, wanted: JournalHeader): Promise<RunDirectory> {
  const run = which === 'newest' ? await newestRun(runs, wanted.configDigest) : which
  const path = join(runs, run)
  const unlock = await lock(path)
  try {
    const journal = await openJournal(join(path, 'journal.jsonl'))
    requireSame(journal.header, wanted)
    return runDirectory(path, journal, true, unlock)
  } catch (error) {
    await unlock()
    throw error
  }
}

function runDirectory(path: string, journal: Journal, resumed: boolean, unlock: () => Promise<void>): RunDirectory {
  return {
    path,
    journal,
    resumed,
    async [Symbol.asyncDispose]() {
      await journal.close()
      await unlock()
    },
  }
}

async function newestRun(runs: string, digest: string): Promise<string> {
  const names = (await readdir(runs).catch(() => [])).sort().reverse()
  for (const name of names) {
    const header = await readHeader(join(runs, name, 'journal.jsonl'))
    if (header?.configDigest === digest) return name
  }
  throw userError('no_run_to_resume', `no run in ${runs} has this configuration`, {
    fix: names.length > 0 ? `name one: --resume ${names[0]}` : 'run once without --resume',
  })
}

function requireSame(found: JournalHeader, wanted: JournalHeader): void {
  if (found.configDigest === wanted.configDigest) return
  const names = differences(found.config, wanted.config)
  throw userError('run_differs', `run ${found.run} had another configuration: ${names.join(', ')}`, {
    fix: 'give the same options, or start anew without --resume',
  })
}

/** Paths at which two configurations differ. */
function differences(a: JsonObject, b: JsonObject, prefix = ''): string[] {
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort()
  return keys.flatMap((key) => {
    const [left, right] = [a[key], b[key]]
    if (isObject(left) && isObject(right)) return differences(left, right, `${prefix}${key}.`)
    return JSON.stringify(left) === JSON.stringify(right) ? [] : [`${prefix}${key}`]
  })
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A lock file that names its owner; a dead owner's lock is taken over. */
async function lock(directory: string): Promise<() => Promise<void>> {
  const path = join(directory, 'lock')
  for (let attempt = 0; attempt < 2; attempt++) {
    const file = await open(path, 'wx').catch(() => undefined)
    if (file) {
      await file.writeFile(`${process.pid} ${await startTime(process.pid)}`)
      await file.close()
      return () => rm(path, { force: true })
    }
    if (await ownerLives(path)) break
    await rm(path, { force: true })
  }
  throw new R2eError('run_locked', 'user', `another process works on the run in ${directory}`, {
    fix: 'wait for it to end, or stop it',
  })
}

async function ownerLives(path: string): Promise<boolean> {
  const [pid, started] = (await readFile(path, 'utf8').catch(() => '')).split(' ')
  return Boolean(pid) && (await startTime(Number(pid))) === started && started !== ''
}

/** Start time of a process in clock ticks (proc(5), field 22); the pid alone may have been reused. Empty if it is gone. */
async function startTime(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}
