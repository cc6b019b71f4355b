import { randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'

/** A folder name that says which process it belongs to, safe against reuse of process ids and other containers. */
export function ownedName(): string {
  const space = pidNamespace()
  return `${space}.${process.pid}.${startTime(process.pid)}.${randomBytes(4).toString('hex')}`
}

/** Whether the process that made the name is gone. A process of another container cannot be seen, so it counts as alive. */
export function isOwnerDead(name: string): boolean {
  const [space, pid, start] = name.split('.')
  if (!space || !pid || !start || space !== pidNamespace()) return false
  return startTime(Number(pid)) !== start
}

function pidNamespace(): string {
  return readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')
}

const EXITING = 0x4

/**
 * When a process started, in ticks since boot: with its number it names one process for ever. Undefined where it is dead or
 * dying: the kernel ends a process only after all that it is the first process of.
 */
export function startTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name may hold blanks and brackets. Of the fields behind it the 7th are flags, the 20th the start.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return Number(fields[6]) & EXITING ? undefined : fields[19]
  } catch {
    return undefined
  }
}
