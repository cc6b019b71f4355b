import { randomBytes } from 'node:crypto'
import { readFile, readlink, rename, rm, symlink } from 'node:fs/promises'

/**
 * Takes a lock that names its owner, this process; one whose owner is gone is taken over. Answers how to release it, or
 * undefined where another process holds it. The lock is a link to nowhere, since a link appears with its content.
 */
export async function takeLock(path: string): Promise<(() => Promise<void>) | undefined> {
  const mine = `${process.pid} ${await startTime(process.pid)}`
  for (let attempt = 0; attempt < 3; attempt++) {
    const taken = await symlink(mine, path).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false
        throw error
      },
    )
    if (taken) return () => rm(path, { force: true })
    if (await ownerLives(path)) return undefined
    await putAside(path)
  }
  return undefined
}

/** Of two processes that find the same dead owner, one may already have taken the lock anew. */
async function putAside(path: string): Promise<void> {
  const aside = `${path}-${randomBytes(6).toString('hex')}`
  const moved = await rename(path, aside).then(
    () => true,
    () => false,
  )
  if (!moved) return
  if (await ownerLives(aside)) await rename(aside, path)
  else await rm(aside, { force: true })
}

async function ownerLives(path: string): Promise<boolean> {
  const [pid = '', started = ''] = (await readlink(path).catch(() => '')).split(' ')
  if (!/^[1-9]\d*$/.test(pid)) return false
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
