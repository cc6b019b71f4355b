import { readFile, readlink, rm, symlink } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Takes a lock that names its owner, this process; one whose owner is gone is taken over. Answers how to release it, or
 * undefined where another process holds it; whether one of another container does so still cannot be seen, and it counts
 * as alive. The lock is a link to nowhere, since a link appears with its content.
 */
export async function takeLock(path: string): Promise<(() => Promise<void>) | undefined> {
  const mine = `${process.pid} ${await startTime(process.pid)} ${await pidNamespace()}`
  for (let attempt = 0; attempt < 100; attempt++) {
    if (await link(mine, path)) return releaseOnce(path, mine)
    const owner = await ownerOf(path)
    if (owner === undefined) continue
    if (await isAlive(owner)) return undefined
    await clear(path, mine)
  }
  return undefined
}

/** Later calls leave the lock alone, since another run of this process may hold it by then; so does one whose lock was taken away. */
function releaseOnce(path: string, mine: string): () => Promise<void> {
  const release = async () => {
    if ((await readlink(path).catch(() => '')) === mine) await rm(path, { force: true })
  }
  let released: Promise<void> | undefined
  return () => (released ??= release())
}

async function link(content: string, path: string): Promise<boolean> {
  try {
    await symlink(content, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/**
 * Removes a dead owner's lock; one process at a time, so that a lock taken meanwhile is seen and left. One that was
 * released is not there to be removed: whoever takes it next would lose it.
 */
async function clear(path: string, mine: string): Promise<void> {
  const guard = `${path}-clearing`
  if (await link(mine, guard)) {
    await removeDead(path)
    await rm(guard, { force: true })
  } else if (!(await removeDead(guard))) await sleep(10)
}

async function removeDead(path: string): Promise<boolean> {
  const owner = await ownerOf(path)
  if (owner === undefined || (await isAlive(owner))) return false
  await rm(path, { force: true })
  return true
}

/** Undefined where there is no lock; it may have been released in between. */
async function ownerOf(path: string): Promise<string | undefined> {
  return await readlink(path).catch((error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? undefined : ''))
}

async function isAlive(owner: string): Promise<boolean> {
  const [pid = '', started = '', space] = owner.split(' ')
  if (!/^[1-9]\d*$/.test(pid)) return false
  if (space !== undefined && space !== (await pidNamespace())) return true
  return started === '' ? answers(Number(pid)) : (await startTime(Number(pid))) === started
}

/** Where there is no /proc to tell when a process was started. */
function answers(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Start time of a process in clock ticks (proc(5), field 22); the pid alone may have been reused. Empty if it is gone. */
export async function startTime(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

/** Number of the namespace that process ids of this process belong to; 0 where there is none to be seen. */
export async function pidNamespace(): Promise<string> {
  return (await readlink('/proc/self/ns/pid').catch(() => '0')).replace(/\D/g, '')
}
