import { chmodSync, chownSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { HIDDEN_FOLDER } from './base-layer.ts'
import { BUILD_FILES_PATH } from './client-settings.ts'
import { DEVICES } from './device-files.ts'
import type { Root } from './root.ts'
import type { Store } from './store.ts'
import { TOOL_BOX_PATH } from './tool-box.ts'

export interface MountPlan {
  /** Folder of the sandbox, relative to the state directory: mount options are relative to it too. */
  readonly folder: string
  readonly root: Root
  /** From the first to the last. */
  readonly layers: readonly string[]
  readonly network: boolean
  readonly toolBox: string
  readonly buildFiles?: string | undefined
  readonly sharedMemoryMb: number
}

/**
 * Makes the folders of a sandbox (`root` the mount, `upper/N` and `work/N` of each part) and the two tables that mount(8)
 * reads in one call each.
 */
export function writeMountTables(store: Store, plan: MountPlan): void {
  const home = join(store.directory, plan.folder)
  for (const name of ['root', 'upper', 'work', 'sysfs']) mkdirSync(join(home, name), { recursive: true })
  const target = (path: string): string => quote(join(home, 'root', path))
  const bind = (source: string, path: string, options = 'bind'): string =>
    `${quote(source)} ${target(path)} none ${options} 0 0`
  // Root could change owner and mode of the host's own file. A user namespace must keep what the host's mount forbids, so
  // all of it is forbidden.
  const guarded = 'bind,ro,nosuid,noexec'
  const required = [
    ...plan.root.parts.map((part, index) => overlay(store, plan, { index, target: target(part.path) })),
    `proc ${target('/proc')} proc nosuid,nodev,noexec 0 0`,
    ...DEVICES.map((name) => bind(`/dev/${name}`, `/dev/${name}`, guarded)),
    `devpts ${target('/dev/pts')} devpts newinstance,ptmxmode=0666,mode=0620,nosuid,noexec 0 0`,
    `tmpfs ${target('/dev/shm')} tmpfs mode=1777,nosuid,nodev,size=${plan.sharedMemoryMb}m 0 0`,
    readOnly(store, { source: plan.toolBox, target: target(TOOL_BOX_PATH) }),
    ...(plan.buildFiles ? [readOnly(store, { source: plan.buildFiles, target: target(BUILD_FILES_PATH) })] : []),
    ...(plan.network ? hostNetworkFiles().map((path) => bind(path, path, guarded)) : []),
    ...(process.geteuid?.() === 0 ? kernelSettings(bind, join(home, 'root')) : []),
  ]
  const sysfs = [`sysfs ${target('/sys')} sysfs ro,nosuid,nodev,noexec 0 0`]
  if (!plan.network) sysfs.unshift(`sysfs ${quote(join(home, 'sysfs'))} sysfs nosuid,nodev,noexec 0 0`)
  writeFileSync(join(home, 'required.fstab'), `${required.join('\n')}\n`)
  writeFileSync(join(home, 'optional.fstab'), `${sysfs.join('\n')}\n`)
  writeFileSync(join(home, 'layers'), plan.layers.join('\n'))
}

/** An overlay without an upper folder, since a user namespace may not bind read-only what the host mounts with other flags. */
function readOnly({ directory }: Store, { source, target }: { source: string; target: string }): string {
  return `overlay ${target} overlay ro,nosuid,nodev,lowerdir=${relative(directory, source)}:e 0 0`
}

function overlay(store: Store, plan: MountPlan, { index, target }: { index: number; target: string }): string {
  const layers = [...plan.layers]
    .reverse()
    .concat(plan.root.id)
    .map((layer) => `l/${layer}/${index}`)
  const lowers = [...layers, `r/${plan.root.id}/${HIDDEN_FOLDER}/${index}`]
  const present = lowers.filter((path) => existsSync(join(store.directory, path)))
  if (plan.root.parts[index]!.lower) present.push(`r/${plan.root.id}/${index}`)
  const upper = `${plan.folder}/upper/${index}`
  const work = `${plan.folder}/work/${index}`
  makeLike(join(store.directory, upper), join(store.directory, present[0]!))
  mkdirSync(join(store.directory, work))
  const options = [`lowerdir=${present.join(':')}`, `upperdir=${upper}`, `workdir=${work}`, 'volatile', 'nodev']
  if (store.identity.userAttributes) options.push('userxattr')
  return `overlay ${target} overlay ${options.join(',')} 0 0`
}

/** The mount shows owner and mode of the upper folder. */
function makeLike(folder: string, model: string): void {
  const { mode, uid, gid } = statSync(model)
  mkdirSync(folder)
  chmodSync(folder, mode & 0o7777)
  try {
    chownSync(folder, uid, gid)
  } catch {
    // Only real root gives files away; then the folder is root's inside, as all that the user owns.
  }
}

function hostNetworkFiles(): string[] {
  return ['/etc/resolv.conf', '/etc/hosts'].filter((path) => existsSync(path))
}

/** Root owns the kernel's settings, in some user namespaces too, and needs no capability to change them. */
function kernelSettings(bind: (source: string, path: string, options?: string) => string, root: string): string[] {
  const closed = ['/proc/sys', '/proc/sysrq-trigger', '/proc/irq', '/proc/bus', '/proc/fs', '/proc/acpi', '/proc/scsi']
  const masked = ['/proc/kcore', '/proc/keys', '/proc/timer_list', '/proc/sched_debug']
  return [
    ...closed.filter((path) => existsSync(path)).map((path) => bind(join(root, path), path, 'bind,ro')),
    ...masked.filter((path) => existsSync(path)).map((path) => bind('/dev/null', path)),
  ]
}

/** fstab(5) keeps blanks, tabs and backslashes as octal. */
function quote(path: string): string {
  return path.replace(/[\s\\#]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`)
}
