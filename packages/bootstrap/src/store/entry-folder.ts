import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Takes a lock that names its owner; undefined where somebody who lives has it. Answers how to release it. */
export type TakeLock = (path: string) => Promise<(() => Promise<void>) | undefined>

const POLL_MS = 50

/** Waits for a lock. `onWait` is called once, where there is something to wait for. */
export async function waitForLock(
  takeLock: TakeLock,
  path: string,
  { signal, onWait }: { readonly signal?: AbortSignal | undefined; readonly onWait?: () => void } = {},
): Promise<() => Promise<void>> {
  await mkdir(dirname(path), { recursive: true })
  for (let waited = false; ; waited = true) {
    signal?.throwIfAborted()
    const release = await takeLock(path)
    if (release) return release
    if (!waited) onWait?.()
    await sleep(POLL_MS, undefined, { signal }).catch(() => {})
  }
}

/**
 * Puts a folder of small files in place: it is written under another name, and renamed when all of it is on disk. What a
 * killed process left under that name goes first. A reader sees the old files, the new ones or, for an instant, none.
 */
export async function writeEntry(
  takeLock: TakeLock,
  path: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  const release = await waitForLock(takeLock, `${path}.lock`)
  const [fresh, old] = [`${path}.new`, `${path}.old`]
  try {
    await removeAll(fresh, old)
    await mkdir(fresh)
    for (const [name, content] of Object.entries(files)) await writeSynced(join(fresh, name), content)
    await rename(path, old).catch(unlessAbsent)
    await rename(fresh, path)
    await removeAll(old)
  } finally {
    await release()
  }
}

export async function removeEntry(takeLock: TakeLock, path: string): Promise<void> {
  const release = await waitForLock(takeLock, `${path}.lock`)
  try {
    await removeAll(path, `${path}.new`, `${path}.old`)
  } finally {
    await release()
  }
}

/** The text of a file of an entry; undefined where it is not there. */
export async function readText(path: string): Promise<string | undefined> {
  return await readFile(path, 'utf8').catch(() => undefined)
}

/** What a file holds, as JSON; undefined where it is not there, or not whole. */
export async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch {
    return undefined
  }
}

async function writeSynced(path: string, content: string | Uint8Array): Promise<void> {
  const file = await open(path, 'w')
  try {
    await file.writeFile(content)
    await file.datasync()
  } finally {
    await file.close()
  }
}

async function removeAll(...paths: readonly string[]): Promise<void> {
  for (const path of paths) await rm(path, { recursive: true, force: true })
}

function unlessAbsent(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
