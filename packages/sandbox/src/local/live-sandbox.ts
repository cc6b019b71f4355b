import { existsSync } from 'node:fs'
import { release } from 'node:os'
import { join } from 'node:path'
import { R2eError, type SandboxLimits } from '@r2e/spec'
import { readRoot } from './base-layer.ts'
import { createControlGroups, NO_GROUPS, removeControlGroups } from './cgroup.ts'
import type { Entrance } from './enter.ts'
import { killAll } from './exec.ts'
import { readFromSandbox } from './files.ts'
import { type Holder, startHolder } from './holder.ts'
import { touchLayers } from './layers.ts'
import type { LocalContext } from './local-context.ts'
import { writeMountTables } from './mount-table.ts'
import { ownedName } from './owner.ts'
import { type Image, removeTree } from './store.ts'
import { watchUsage } from './usage-watch.ts'
import { parseUser, ROOT_USER, type UserIds } from './user-ids.ts'

/** A command under way, marked when something other than itself ends it. */
export interface Run {
  /** The process of the host that waits for it. */
  pid?: number
  timedOut: boolean
  oom: boolean
}

/** A mounted root with its first process: what exec, read and write work on. */
export interface LiveSandbox {
  readonly id: string
  readonly entrance: Entrance
  readonly workdir: string
  readonly rootEnv: Readonly<Record<string, string>>
  readonly imageEnv: Readonly<Record<string, string>>
  /** Commands under way. */
  readonly runs: Set<Run>
  /** Relative to the state directory. */
  readonly folder: string
  /** Ids of a user; undefined = there is none of that name. */
  resolveUser(spec: string | undefined): Promise<UserIds | undefined>
  isAlive(): boolean
  /** Throws `sandbox_lost` once it is closed or its first process died. */
  assertAlive(): void
  close(): Promise<void>
}

export interface LiveRequest {
  readonly image: Image
  readonly network: boolean
  /** Absent while building: no limits then, and the settings of package clients. */
  readonly limits?: SandboxLimits | undefined
}

const SHARED_MEMORY_MB = 64

export async function openLive(context: LocalContext, request: LiveRequest): Promise<LiveSandbox> {
  const { store, toolBox } = context
  const { image, network, limits } = request
  const id = ownedName()
  const folder = `s/${id}`
  const root = await readRoot(store, image.root)
  await touchLayers(store, image.layers)
  const groups = limits ? createControlGroups(id, limits) : NO_GROUPS
  const holder = await start().catch(async (error: unknown) => {
    await removeTree(store, `${store.directory}/${folder}`)
    throw error
  })
  const entrance: Entrance = {
    pid: holder.pid,
    identity: store.identity,
    network,
    groups,
    toolBox,
    processLimit: limits && !groups.pids && countsByNamespace(context) ? limits.pids : undefined,
  }
  return createLive(context, { id, folder, entrance, holder, request, rootEnv: root.env })

  async function start(): Promise<Holder> {
    writeMountTables(store, {
      folder,
      root,
      layers: image.layers,
      network,
      toolBox: toolBox.directory,
      buildFiles: limits ? undefined : context.clientSettings.directory,
      sharedMemoryMb: SHARED_MEMORY_MB,
    })
    return await startHolder({
      stateDirectory: store.directory,
      folder,
      identity: store.identity,
      network,
      groups: groups.folders,
      toolBox,
    })
  }
}

interface LiveParts {
  readonly id: string
  readonly folder: string
  readonly entrance: Entrance
  readonly holder: Holder
  readonly request: LiveRequest
  readonly rootEnv: Readonly<Record<string, string>>
}

function createLive(context: LocalContext, parts: LiveParts): LiveSandbox {
  const { id, folder, entrance, holder, request, rootEnv } = parts
  const { image, limits } = request
  const runs = new Set<Run>()
  let closing: Promise<void> | undefined
  const sandbox: LiveSandbox = {
    id,
    entrance,
    folder,
    workdir: image.workdir,
    rootEnv: limits ? rootEnv : { ...rootEnv, ...context.clientSettings.env },
    imageEnv: image.env,
    runs,
    async resolveUser(spec = image.user) {
      if (spec === undefined || spec === 'root' || spec === '0') return { ...ROOT_USER, home: rootEnv.HOME ?? '/root' }
      const accounts = await Promise.all(['/etc/passwd', '/etc/group'].map((path) => readFromSandbox(sandbox, path)))
      const [passwd = '', group = ''] = accounts.map((bytes) => Buffer.from(bytes ?? []).toString())
      const user = parseUser(spec, { passwd, group })
      if (user && user.uid !== 0 && entrance.identity.kind === 'single') throw singleUser(spec)
      return user
    },
    isAlive: () => !closing && holder.alive,
    assertAlive() {
      if (!sandbox.isAlive()) throw new R2eError('sandbox_lost', 'transient', `the sandbox ${id} is gone`)
    },
    async close() {
      stopWatch()
      closing ??= holder.close().then(removeRest)
      await closing
    },
  }
  // A holder that was killed from outside leaves its work to us.
  const removeRest = async (): Promise<void> => {
    const path = join(context.store.directory, folder)
    if (existsSync(path)) await removeTree(context.store, path)
    removeControlGroups(id)
  }
  const stopWatch =
    limits && !(entrance.groups.memory && entrance.groups.pids)
      ? watchUsage(sandbox, { limits, stop: () => killAll(sandbox) })
      : () => undefined
  return sandbox
}

/** Since Linux 5.14 RLIMIT_NPROC counts by user namespace; before, it would count all processes of the calling user. */
function countsByNamespace({ store }: LocalContext): boolean {
  const [major = 0, minor = 0] = release().split('.').map(Number)
  return store.identity.kind !== 'root' && (major > 5 || (major === 5 && minor >= 14))
}

function singleUser(spec: string): R2eError {
  return new R2eError(
    'user_not_mapped',
    'user',
    `no command can run as ${spec}: this sandbox has root as its only user`,
    {
      fix: 'install newuidmap (Debian: uidmap) and give your user a range in /etc/subuid and /etc/subgid',
    },
  )
}
