import { access, constants, lstat, readdir, readFile, readlink, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { digestOf } from '@r2e/spec'
import { mountPoints } from './device-files.ts'
import { hiddenPaths } from './hidden-paths.ts'
import { mark } from './image-root.ts'
import type { BaseContent, RootPart, RootPlan } from './root.ts'
import { isWithin } from './root.ts'
import { DEFAULT_PATH, existing, isFolder } from './search-path.ts'
import { homeToolchains, TOOLCHAIN_VARIABLES, toolchainPrefix } from './toolchains.ts'

/** System folders that are shown. Data, mounted disks, other people's homes and sockets are not. */
const SYSTEM = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/usr', '/etc', '/opt', '/nix', '/gnu']
/** Who is not root installs no packages of the system, and only asks which there are. */
const PACKAGE_LISTS = ['/var/lib/dpkg', '/var/lib/rpm']
/** Shown empty: logs, mail, copies of password files and temporary files of the host. */
const EMPTIED = ['/var/log', '/var/tmp', '/var/spool', '/var/mail', '/var/backups', '/var/crash']

export interface HostRootInput {
  readonly home: string
  /** Environment of the calling user: PATH and the variables of toolchains are read from it. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly stateDirectory: string
  /** Mount points that a user namespace cannot hide; empty for real root. */
  readonly mounts: readonly string[]
  /** Root reads everything, so what others may not read is hidden. */
  readonly asRoot: boolean
}

interface Tree {
  readonly parts: RootPart[]
  readonly links: { path: string; target: string }[]
}

/** Plans a root from the host's own tree: one overlay a folder, since a user namespace cannot overlay `/` itself. */
export async function planHostRoot(input: HostRootInput): Promise<RootPlan> {
  const tree: Tree = { parts: [{ path: '/' }], links: [] }
  const system = [...SYSTEM, ...(input.asRoot ? ['/var'] : PACKAGE_LISTS)]
  for (const path of [...system, ...(await homeToolchains(input.home))]) await addFolder(tree, path, input)
  const wanted = (input.environment.PATH ?? '').split(':').filter((path) => path.startsWith('/'))
  const search: string[] = []
  for (const folder of [...wanted, ...(await existing(DEFAULT_PATH, (path) => path))])
    if (await showSearchFolder(tree, folder, input)) search.push(folder)
  const parts = tree.parts.sort((a, b) => (a.path < b.path ? -1 : 1))
  const base = await baseOf(tree, input)
  const env = { PATH: [...new Set(search)].join(':'), HOME: input.home, LANG: 'C.UTF-8', ...toolchainEnv(tree, input) }
  const lasting = parts.filter(isLasting)
  const marks = await hostMarks(lasting)
  const id = digestOf(JSON.stringify({ version: 2, kind: 'host', parts: lasting, env, base: lastingBase(base), marks }))
  return { root: { id: id.slice(7, 19), kind: 'host', parts, env }, base }
}

/**
 * What names a root. Below /var stand the caches and states of whatever runs on the machine: they come and go, and no
 * toolchain lives there.
 */
const isLasting = ({ path }: { readonly path: string }) => !path.startsWith('/var/')

function lastingBase({ folders, files, links, hidden }: BaseContent): BaseContent {
  const kept = hidden.filter((path) => isLasting({ path }))
  return { folders: folders.filter(isLasting), files, links: links.filter(isLasting), hidden: kept }
}

/**
 * Shows a folder of the host. One that holds the state directory, or in a user namespace another mount, cannot be the
 * lower folder of an overlay: its children are shown instead, without the files between them.
 */
async function addFolder(tree: Tree, path: string, input: HostRootInput): Promise<void> {
  if (isShown(tree, path)) return
  const info = await lstat(path).catch(() => undefined)
  if (info?.isSymbolicLink() && path.lastIndexOf('/') === 0) tree.links.push({ path, target: await readlink(path) })
  else await addReal(tree, path, input)
}

async function addReal(tree: Tree, path: string, input: HostRootInput): Promise<void> {
  const lower = await realpath(path).catch(() => undefined)
  if (!lower || lower === input.stateDirectory || !(await isFolder(lower)) || !(await isReadable(lower))) return
  const cuts = [input.stateDirectory, ...input.mounts]
  if (EMPTIED.includes(path)) return
  if (!cuts.some((cut) => cut !== lower && isWithin(cut, lower))) tree.parts.push({ path, lower })
  else
    for (const entry of await readdir(lower, { withFileTypes: true })) {
      const child = join(path, entry.name)
      if (entry.isSymbolicLink()) tree.links.push({ path: child, target: await readlink(child) })
      else if (entry.isDirectory() && !input.mounts.includes(join(lower, entry.name))) await addReal(tree, child, input)
    }
}

async function showSearchFolder(tree: Tree, folder: string, input: HostRootInput): Promise<boolean> {
  if (!(await isFolder(folder))) return false
  if (isShown(tree, folder)) return true
  const prefix = await toolchainPrefix(folder, input.home)
  if (prefix) await addFolder(tree, prefix, input)
  return prefix !== undefined && isShown(tree, folder)
}

function isShown(tree: Tree, path: string): boolean {
  return (
    tree.parts.some((part) => part.path !== '/' && isWithin(path, part.path)) ||
    tree.links.some((link) => isWithin(path, link.path))
  )
}

function toolchainEnv(tree: Tree, input: HostRootInput): Record<string, string> {
  return Object.fromEntries(
    TOOLCHAIN_VARIABLES.flatMap((name) => {
      const value = input.environment[name]
      return value && isShown(tree, value) ? [[name, value] as const] : []
    }),
  )
}

async function isReadable(path: string): Promise<boolean> {
  return await access(path, constants.R_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
}

async function baseOf(tree: Tree, input: HostRootInput): Promise<BaseContent> {
  const points = mountPoints()
  const plain = ['/home', '/mnt', '/media', '/srv', '/run', '/run/lock', '/var/cache', '/var/lib', input.home]
  const standing = tree.parts.filter((part) => part.path !== '/').map((part) => part.path)
  const emptied = EMPTIED.filter((path) => isShown(tree, path))
  return {
    folders: [
      ...points.folders,
      { path: '/tmp', mode: 0o1777 },
      ...[...plain, ...standing].map((path) => ({ path, mode: 0o755 })),
      ...EMPTIED.map((path) => ({ path, mode: path === '/var/tmp' ? 0o1777 : 0o755 })),
    ],
    files: [...points.files, ...(await accountFiles())],
    links: [...points.links, ...tree.links],
    hidden: [...emptied, ...(input.asRoot ? await hiddenPaths(tree.parts, emptied) : [])],
  }
}

/** The host's accounts without their password hashes. */
async function accountFiles(): Promise<{ path: string; mode: number; text: string }[]> {
  const names = async (path: string): Promise<string[]> =>
    (await readFile(path, 'latin1')).split('\n').flatMap((line) => line.split(':')[0] || [])
  const shadow = (await names('/etc/passwd')).map((name) => `${name}:*:19000:0:99999:7:::\n`).join('')
  const groups = (await names('/etc/group')).map((name) => `${name}:*::\n`).join('')
  return [
    { path: '/etc/shadow', mode: 0o600, text: shadow },
    { path: '/etc/gshadow', mode: 0o600, text: groups },
  ]
}

async function hostMarks(parts: readonly RootPart[]): Promise<string[]> {
  const places = ['/usr/bin', '/usr/lib', '/usr/local/bin', '/usr/local/lib', '/var/lib/dpkg/status', '/var/lib/rpm']
  const lowers = parts.flatMap((part) => (part.lower && part.path !== '/etc' && part.path !== '/var' ? part.lower : []))
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '')
  return [release, ...(await Promise.all([...places, ...lowers].map(mark)))]
}
