import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type JsonObject, type JsonValue, userError } from '@r2e/spec'
import { createJournal, type Journal, type JournalHeader, openJournal, readHeader } from './journal.ts'
import { takeLock } from './process-lock.ts'

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
  const run = which === 'newest' ? await newestRun(runs, wanted.configDigest) : await namedRun(runs, which)
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

async function namedRun(runs: string, name: string): Promise<string> {
  const names = await runNames(runs)
  if (names.includes(name)) return name
  throw userError('no_run_to_resume', `there is no run ${JSON.stringify(name)} in ${runs}`, { fix: adviceOn(names) })
}

async function newestRun(runs: string, digest: string): Promise<string> {
  const names = await runNames(runs)
  for (const name of names) {
    const header = await readHeader(join(runs, name, 'journal.jsonl'))
    if (header?.configDigest === digest) return name
  }
  throw userError('no_run_to_resume', `no run in ${runs} has this configuration`, {
    fix: 'run once without --resume, or give the options of the run that is to go on',
  })
}

const runNames = async (runs: string) => (await readdir(runs).catch(() => [])).sort().reverse()
const adviceOn = ([newest]: readonly string[]) =>
  newest === undefined ? 'run once without --resume' : `name one: --resume ${newest}`

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

async function lock(directory: string): Promise<() => Promise<void>> {
  const unlock = await takeLock(join(directory, 'lock'))
  if (unlock) return unlock
  throw userError('run_locked', `another process works on the run in ${directory}`, {
    fix: `wait for it to end, or stop it; where it ran in a container that is gone, remove ${join(directory, 'lock')}`,
  })
}
