import type { ControlGroups } from './cgroup.ts'
import type { Identity } from './identity.ts'
import type { ToolBox } from './tool-box.ts'
import type { UserIds } from './user-ids.ts'

/** What a command needs to get into a sandbox. */
export interface Entrance {
  readonly pid: number
  readonly identity: Identity
  readonly network: boolean
  readonly groups: ControlGroups
  readonly toolBox: ToolBox
  /** Limit of processes by RLIMIT_NPROC, where no control group does it and the kernel counts by user namespace. */
  readonly processLimit?: number | undefined
}

/** What Docker grants, without raw sockets and device nodes. */
const CAPABILITIES = [
  'chown',
  'dac_override',
  'fowner',
  'fsetid',
  'kill',
  'setgid',
  'setuid',
  'setpcap',
  'setfcap',
  'net_bind_service',
  'sys_chroot',
  'audit_write',
]
const BOUNDS = ['-all', ...CAPABILITIES.map((name) => `+${name}`)].join(',')
/** Joins the groups before anything of the sandbox runs. */
const JOIN = 'for group in $1; do echo 0 >"$group/cgroup.procs" || exit 126; done; shift; exec "$@"'

/** The whole argument list that runs `argv` in the sandbox. Its first programs are the host's, the rest from the tool box. */
export function enterCommand(entrance: Entrance, user: UserIds, argv: readonly string[]): string[] {
  const { toolBox, groups, processLimit } = entrance
  const limit = processLimit ? [...toolBox.command('prlimit'), `--nproc=${processLimit}:${processLimit}`] : []
  const command = [
    ...namespaces(entrance),
    '--',
    ...limit,
    ...toolBox.command('setpriv'),
    ...privileges(entrance, user),
  ]
  const joined = groups.folders.length > 0 ? ['/bin/sh', '-c', JOIN, 'sh', groups.folders.join(' ')] : []
  return [...joined, ...command, '--', ...argv]
}

/**
 * Ends every process of the sandbox but its first, in one step that no fork escapes. The shell comes from the tool box, a
 * path that no other place has: should the number of a dead sandbox belong to another process by now, nothing runs.
 */
export function killCommand(entrance: Entrance): string[] {
  const { pid, identity, toolBox } = entrance
  const enter = [toolBox.nsenter, `--target=${pid}`, ...userFlags(identity), '--mount', '--pid', '--']
  return [...enter, ...toolBox.command('sh'), '-c', 'kill -KILL -1']
}

function namespaces({ pid, identity, network, toolBox }: Entrance): string[] {
  const spaces = ['--mount', '--pid', '--ipc', '--uts', ...(network ? [] : ['--net'])]
  return [toolBox.nsenter, `--target=${pid}`, ...userFlags(identity), ...spaces]
}

function userFlags({ kind, mapFlags }: Identity): string[] {
  if (mapFlags.length === 0) return []
  // With one user the kernel forbids even to drop groups.
  return kind === 'single' ? ['--user', '--preserve-credentials'] : ['--user']
}

function privileges({ identity }: Entrance, { uid, gid, groups }: UserIds): string[] {
  const bounds = [`--bounding-set=${BOUNDS}`, '--inh-caps=-all']
  if (identity.kind === 'single') return bounds
  const others = groups.length > 0 ? `--groups=${groups.join(',')}` : '--clear-groups'
  return [...bounds, `--reuid=${uid}`, `--regid=${gid}`, others]
}
