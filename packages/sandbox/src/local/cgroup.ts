import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SandboxLimits } from '@r2e/spec'

/** The control groups of one sandbox; a controller that is not writable here is missing. */
export interface ControlGroups {
  readonly folders: readonly string[]
  readonly memory: boolean
  readonly pids: boolean
  /** How often the kernel killed in this sandbox for want of memory. */
  memoryKills(): number
}

export const NO_GROUPS: ControlGroups = { folders: [], memory: false, pids: false, memoryKills: () => 0 }

const CONTROLLERS = ['memory', 'pids', 'cpu'] as const
type Controller = (typeof CONTROLLERS)[number]
type Version = 1 | 2

interface Hierarchy {
  readonly version: Version
  /** Folder under which ours are made. */
  readonly folder: string
  readonly controllers: readonly Controller[]
}

/** Makes a group in each hierarchy that lets us; none is an answer too. */
export function createControlGroups(name: string, limits: SandboxLimits): ControlGroups {
  const made = hierarchies().flatMap((hierarchy) => {
    const folder = join(hierarchy.folder, `r2e-${name}`)
    return tryMake(folder, hierarchy, limits) ? [{ ...hierarchy, folder }] : []
  })
  const of = (controller: Controller) => made.find(({ controllers }) => controllers.includes(controller))
  const memory = of('memory')
  return {
    folders: made.map(({ folder }) => folder),
    memory: memory !== undefined,
    pids: of('pids') !== undefined,
    memoryKills: () => (memory ? countKills(memory) : 0),
  }
}

/** Removes the groups of a sandbox that nobody else removed, where they are empty. */
export function removeControlGroups(name: string): void {
  for (const { folder } of hierarchies()) {
    const path = join(folder, `r2e-${name}`)
    if (existsSync(path)) quietly(() => rmdirSync(path))
  }
}

function hierarchies(): Hierarchy[] {
  const own = ownGroups()
  const lines = quietly(() => readFileSync('/proc/self/mountinfo', 'latin1').split('\n')) ?? []
  return lines.flatMap((line): Hierarchy[] => {
    const [mount = '', rest] = line.split(' - ')
    const [type, , options = ''] = rest?.split(' ') ?? []
    const root = mount.split(' ')[4] ?? ''
    // A group that holds processes cannot have limited children in version 2, so ours stand at its top.
    if (type === 'cgroup2') return [{ version: 2, folder: root, controllers: offered(root) }]
    if (type !== 'cgroup') return []
    const controllers = CONTROLLERS.filter((name) => options.split(',').includes(name))
    const inside = join(root, own.get(options.split(',').find((name) => own.has(name)) ?? '') ?? '')
    return controllers.length > 0 ? [{ version: 1, folder: existsSync(inside) ? inside : root, controllers }] : []
  })
}

/** Version 1: controller → path of our own group, so that what limits us limits the sandbox too. */
function ownGroups(): Map<string, string> {
  const text = quietly(() => readFileSync('/proc/self/cgroup', 'latin1')) ?? ''
  const lines = text.split('\n').map((line) => line.split(':'))
  return new Map(lines.flatMap(([, names = '', path = '']) => names.split(',').map((name) => [name, path] as const)))
}

function offered(root: string): Controller[] {
  const text = quietly(() => readFileSync(join(root, 'cgroup.controllers'), 'latin1')) ?? ''
  return CONTROLLERS.filter((name) => text.split(/\s/).includes(name))
}

function tryMake(folder: string, { version, controllers, folder: above }: Hierarchy, limits: SandboxLimits): boolean {
  if (controllers.length === 0) return false
  const done = quietly(() => {
    if (version === 2)
      writeFileSync(join(above, 'cgroup.subtree_control'), controllers.map((name) => `+${name}`).join(' '))
    mkdirSync(folder)
    for (const name of controllers) setLimit(folder, { version, name }, limits)
    return true
  })
  if (!done) quietly(() => rmdirSync(folder))
  return done ?? false
}

function setLimit(
  folder: string,
  { version, name }: { version: Version; name: Controller },
  limits: SandboxLimits,
): void {
  const write = (file: string, value: string | number): void => writeFileSync(join(folder, file), `${value}`)
  const bytes = limits.memoryMb * 2 ** 20
  const quota = Math.max(1000, Math.round(limits.cpus * 100_000))
  if (name === 'pids') write('pids.max', limits.pids)
  else if (name === 'cpu' && version === 2) write('cpu.max', `${quota} 100000`)
  else if (name === 'cpu') write('cpu.cfs_quota_us', quota)
  else if (version === 2) {
    write('memory.max', bytes)
    // Not every kernel counts swap.
    quietly(() => write('memory.swap.max', 0))
  } else {
    write('memory.limit_in_bytes', bytes)
    quietly(() => write('memory.memsw.limit_in_bytes', bytes))
  }
}

function countKills({ version, folder }: Hierarchy): number {
  const file = version === 2 ? 'memory.events' : 'memory.oom_control'
  const text = quietly(() => readFileSync(join(folder, file), 'latin1')) ?? ''
  return Number(text.match(/^oom_kill (\d+)/m)?.[1] ?? 0)
}

function quietly<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}
