import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** Who may remove a container: this machine (and pid namespace), this process, since this start. */
export interface Owner {
  readonly host: string
  readonly pid: number
  /** Start of the process as the kernel tells it; empty where it does not. */
  readonly start: string
}

export const LABELS = { run: 'r2e.run', host: 'r2e.host', pid: 'r2e.pid', start: 'r2e.start' } as const

export function ownLabels(run: string): Record<string, string> {
  const owner = thisOwner()
  return {
    [LABELS.run]: run,
    [LABELS.host]: owner.host,
    [LABELS.pid]: String(owner.pid),
    [LABELS.start]: owner.start,
  }
}

/** Several machines may share one engine: pids mean something on their own machine only. */
export function thisOwner(): Owner {
  const namespace = attempt(() => readlinkSync('/proc/self/ns/pid')) ?? ''
  const host = createHash('sha256').update(`${hostname()}\0${namespace}`).digest('hex').slice(0, 16)
  return { host, pid: process.pid, start: startOf(process.pid) ?? '' }
}

/** Whether the process that wrote these labels still runs. */
export function ownerLives(labels: Readonly<Record<string, string>>): boolean {
  const pid = Number(labels[LABELS.pid])
  if (!Number.isInteger(pid) || pid <= 0) return false
  const start = startOf(pid)
  if (start !== undefined) return labels[LABELS.start] === '' || start === labels[LABELS.start]
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Field 22 of /proc/PID/stat; the command in field 2 may hold blanks and brackets. */
function startOf(pid: number): string | undefined {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'latin1'))
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
