import { existsSync } from 'node:fs'
import { chmod, chown, lstat, mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { R2eError } from '@r2e/spec'
import { hasLayer, sealLayer } from './layers.ts'
import { partOf, type Root, type RootPlan } from './root.ts'
import { runHost } from './run-host.ts'
import { removeTree, type Store, unfinishedPath } from './store.ts'

/** Beside the record of a root: the layer that hides. */
export const HIDDEN_FOLDER = 'h'

/** Writes the first layer of a root and remembers the root, so that its images open later too. */
export async function writeRoot(store: Store, plan: RootPlan): Promise<Root> {
  const { root } = plan
  if (await hasLayer(store, root.id)) {
    const known = await readRoot(store, root.id).catch(() => undefined)
    if (known) return known
  }
  const layer = unfinishedPath(store)
  await writeBase(layer, plan)
  await sealLayer(store, layer, root.id)
  const record = unfinishedPath(store)
  await mkdir(join(record, HIDDEN_FOLDER), { recursive: true })
  const hiding = join(record, HIDDEN_FOLDER)
  await hide(plan.base.hidden.map((path) => placeIn(hiding, root, path)))
  await likeBelow(hiding, root, new Set())
  await writeFile(join(record, 'root.json'), JSON.stringify(root))
  for (const [index, part] of root.parts.entries()) if (part.lower) await symlink(part.lower, join(record, `${index}`))
  await rename(record, join(store.directory, 'r', root.id)).catch(() => removeTree(store, record))
  return root
}

export async function readRoot(store: Store, id: string): Promise<Root> {
  return JSON.parse(await readFile(join(store.directory, 'r', id, 'root.json'), 'utf8')) as Root
}

async function writeBase(layer: string, { root, base }: RootPlan): Promise<void> {
  const place = (path: string): string => placeIn(layer, root, path)
  for (const part of root.parts) {
    await makeFolders(place(part.path))
    // The place where it is mounted, in the part around it.
    if (part.path !== '/') await makeFolders(outside(layer, root, part.path))
  }
  for (const { path, mode } of base.folders) {
    await makeFolders(place(path))
    await chmod(place(path), mode)
  }
  for (const { path, mode, text } of base.files) {
    await makeFolders(dirname(place(path)))
    await writeFile(place(path), text)
    await chmod(place(path), mode)
  }
  for (const { path, target } of base.links) await symlink(target, place(path)).catch(() => undefined)
  await likeBelow(layer, root, new Set(base.folders.map(({ path }) => place(path))))
}

async function likeBelow(layer: string, root: Root, stated: ReadonlySet<string>): Promise<void> {
  for (const [index, { lower }] of root.parts.entries())
    if (lower && existsSync(join(layer, `${index}`))) await copyAttributes(join(layer, `${index}`), { lower, stated })
}

/** A folder of an upper layer hides the owner and mode of the one below, so those we made only on the way take them over. */
async function copyAttributes(folder: string, at: { lower: string; stated: ReadonlySet<string> }): Promise<void> {
  const below = await lstat(at.lower).catch(() => undefined)
  if (!below?.isDirectory()) return
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory())
      await copyAttributes(join(folder, entry.name), { lower: join(at.lower, entry.name), stated: at.stated })
  if (at.stated.has(folder)) return
  // Only real root gives files away.
  await chown(folder, below.uid, below.gid).catch(() => undefined)
  await chmod(folder, below.mode & 0o7777)
}

/** Whatever the umask is, what is made on the way can be entered. */
async function makeFolders(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true })
  for (let made = path; first && made.length >= first.length; made = dirname(made)) await chmod(made, 0o755)
}

function placeIn(layer: string, root: Root, path: string): string {
  const part = partOf(root.parts, path)
  return join(layer, `${part}`, path.slice(root.parts[part]!.path.length))
}

function outside(layer: string, root: Root, path: string): string {
  const above = root.parts.filter((part) => part.path !== path)
  const part = above[partOf(above, path)]!
  return join(layer, `${root.parts.indexOf(part)}`, path.slice(part.path.length))
}

/**
 * Overlays take a character device 0:0 as "not there, whatever is below"; anyone may make that one. They lie in a layer of
 * their own under the first one, so that a folder of the first stands there empty.
 */
async function hide(paths: readonly string[]): Promise<void> {
  for (const path of paths) await makeFolders(dirname(path))
  for (let at = 0; at < paths.length; at += 8) {
    const made = await Promise.all(
      paths.slice(at, at + 8).map((path) => runHost({ argv: ['mknod', '-m', '600', '--', path, 'c', '0', '0'] })),
    )
    const failed = made.find((result) => result.exitCode !== 0)
    if (failed)
      throw new R2eError('base_layer_failed', 'transient', `could not hide host files: ${failed.stderr.trim()}`)
  }
}
