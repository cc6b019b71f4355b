import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 100
const TOUCH_MS = 2_000
/** A holder touches its lock every two seconds; one that stopped doing so is gone. */
const STALE_MS = 20_000

/** Runs `work` while no other process holds the lock. The lock of a process that was killed is taken over. */
export async function withFileLock<Result>(
  path: string,
  signal: AbortSignal | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  while (!(await acquire(path))) {
    if (await isStale(path)) await rm(path, { force: true })
    else await sleep(POLL_MS, undefined, { signal })
  }
  const touch = setInterval(() => utimes(path, new Date(), new Date()).catch(() => {}), TOUCH_MS)
  try {
    return await work()
  } finally {
    clearInterval(touch)
    await rm(path, { force: true })
  }
}

async function acquire(path: string): Promise<boolean> {
  try {
    await writeFile(path, `${process.pid} ${hostname()}`, { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function isStale(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) return false
  const [pid, host] = (await readFile(path, 'utf8').catch(() => '')).split(' ')
  return Date.now() - found.mtimeMs > STALE_MS || (host === hostname() && !isRunning(Number(pid)))
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
