import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { R2eError, sha256Hex } from '@r2e/spec'
import type { Identity } from './identity.ts'
import { ownedName } from './owner.ts'
import { runHost } from './run-host.ts'

/**
 * The state directory. Names are short, since one mount option holds the paths of all layers:
 * `i/` images, `l/` layers, `r/` roots, `s/` live sandboxes, `t/` tool boxes, `c/` certificates, `n/` unfinished things,
 * `e/` nothing.
 */
export interface Store {
  readonly directory: string
  readonly identity: Identity
}

/** What a build made: layers from the first to the last, and how to start a command in it. */
export interface Image {
  readonly root: string
  readonly layers: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly workdir: string
  readonly user?: string | undefined
}

export async function openStore(directory: string, identity: Identity): Promise<Store> {
  for (const name of ['i', 'l', 'r', 's', 't', 'c', 'n', 'e'])
    await mkdir(join(directory, name), { recursive: true, mode: 0o700 })
  return { directory, identity }
}

/** A place for something unfinished; `sweep` removes it once this process is dead. */
export function unfinishedPath(store: Store): string {
  return join(store.directory, 'n', ownedName())
}

const IMAGE_PREFIX = 'r2e-local/'
const IMAGE_NAME = /^r2e-local\/[0-9a-f]+$/

/** Stores an image and answers its name: equal images have equal names. */
export async function writeImage(store: Store, image: Image): Promise<string> {
  const text = JSON.stringify(image)
  const name = IMAGE_PREFIX + sha256Hex(text).slice(0, 16)
  const temporary = unfinishedPath(store)
  await writeFile(temporary, text)
  await rename(temporary, imagePath(store, name))
  return name
}

/** Whether an image is stored with all its layers. */
export async function hasImage(store: Store, name: string): Promise<boolean> {
  const image = await readImage(store, name).catch(() => undefined)
  if (!image) return false
  const layers = new Set(await readdir(join(store.directory, 'l')))
  return image.layers.every((id) => layers.has(id))
}

export async function removeImage(store: Store, name: string): Promise<void> {
  if (IMAGE_NAME.test(name)) await rm(imagePath(store, name), { force: true })
}

export function imagePath(store: Store, name: string): string {
  return join(store.directory, 'i', name.slice(IMAGE_PREFIX.length))
}

/** Throws `image_missing` where the image is unknown or removed. */
export async function readImage(store: Store, name: string): Promise<Image> {
  const known = IMAGE_NAME.test(name)
  const text = known && (await readFile(imagePath(store, name), 'utf8').catch(() => undefined))
  if (!text) throw new R2eError('image_missing', 'transient', `the local sandbox has no image ${name}`)
  return JSON.parse(text) as Image
}

/** Removes a tree whatever modes and mapped owners it has: as the root of the same user namespace. */
export async function removeTree(store: Store, path: string): Promise<void> {
  if (store.identity.mapFlags.length === 0) return await rm(path, { recursive: true, force: true })
  const result = await runHost({ argv: ['unshare', ...store.identity.mapFlags, 'rm', '-rf', '--', path] })
  if (result.exitCode !== 0)
    throw new R2eError('state_not_removed', 'transient', `could not remove ${path}: ${result.stderr.trim()}`)
}
