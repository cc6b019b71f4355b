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

/** Field 22 of stat: ticks since boot. The name before it may hold blanks and brackets. */
export function startTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}
