import { randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pidNamespace, startTime } from './process-lock.ts'

/** A name that says which process it belongs to, safe against reuse of process ids. */
export async function ownedName(prefix: string): Promise<string> {
  const owner = [await pidNamespace(), process.pid, await startTime(process.pid)]
  return `${prefix}${owner.join('.')}.${randomBytes(6).toString('hex')}`
}

/** Removes what processes that are gone left under such names, at any depth. A folder that does not exist holds nothing. */
export async function sweepOwned(folder: string, prefix: string, recursive = true): Promise<void> {
  const space = await pidNamespace()
  for (const path of await readdir(folder, { recursive }).catch(() => []))
    if (await isAbandoned(basename(path), prefix, space)) await rm(join(folder, path), { recursive: true, force: true })
}

/** A process of another container cannot be seen, so its things stay; so do those on a system that tells no start. */
async function isAbandoned(name: string, prefix: string, space: string): Promise<boolean> {
  if (!name.startsWith(prefix)) return false
  const [owner, pid, start] = name.slice(prefix.length).split('.')
  if (!pid || !start || owner !== space) return false
  return (await startTime(Number(pid))) !== start
}
