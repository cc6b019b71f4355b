import { readdirSync, readFileSync } from 'node:fs'

export interface ProcessEntry {
  readonly pid: number
  readonly parent: number
}

/** All processes of the host; those that end meanwhile are left out. */
export function listProcesses(): ProcessEntry[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readEntry(name) ?? []) : []))
}

function readEntry(name: string): ProcessEntry | undefined {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'latin1')
    // The name of a program may hold blanks and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { pid: Number(name), parent: Number(fields[1]) }
  } catch {
    return undefined
  }
}

/** The processes below any of `roots`, the roots themselves left out. */
export function descendants(all: readonly ProcessEntry[], roots: ReadonlySet<number>): ProcessEntry[] {
  const children = Map.groupBy(all, (entry) => entry.parent)
  const found: ProcessEntry[] = []
  const queue = [...roots]
  for (let pid = queue.pop(); pid !== undefined; pid = queue.pop())
    for (const child of children.get(pid) ?? []) {
      if (roots.has(child.pid)) continue
      found.push(child)
      queue.push(child.pid)
    }
  return found
}
