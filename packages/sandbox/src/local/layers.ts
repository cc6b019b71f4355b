import { readdir, readFile, rename, rm, rmdir, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { type Image, imagePath, removeTree, type Store, unfinishedPath } from './store.ts'

/** How long a layer stays that no image needs: the next candidates of a run build on it. */
const KEEP_UNUSED_MS = 6 * 3_600_000
/** How long an image stays that its run did not remove, since that was killed. */
const KEEP_IMAGE_MS = 7 * 24 * 3_600_000

export async function hasLayer(store: Store, id: string): Promise<boolean> {
  return (await stat(join(store.directory, 'l', id)).catch(() => undefined)) !== undefined
}

/** Makes a folder the layer `id`. Where another build was faster its layer is as good, and ours goes. */
export async function sealLayer(store: Store, folder: string, id: string): Promise<void> {
  try {
    await rename(folder, join(store.directory, 'l', id))
  } catch (error) {
    const taken = ['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')
    if (!taken && !(await hasLayer(store, id))) throw error
    await removeTree(store, folder)
  }
}

/** Removes the parts a step did not touch: an empty one says nothing and would lengthen the mount. */
export async function dropEmptyParts(folder: string): Promise<void> {
  for (const part of await readdir(folder)) await rmdir(join(folder, part)).catch(() => undefined)
}

/** Marks layers as in use now. */
export async function touchLayers(store: Store, ids: readonly string[]): Promise<void> {
  const now = new Date()
  await Promise.all(ids.map((id) => utimes(join(store.directory, 'l', id), now, now)))
}

/** Marks an image as in use now. */
export async function touchImage(store: Store, name: string): Promise<void> {
  const now = new Date()
  await utimes(imagePath(store, name), now, now)
}

export async function countLayers(store: Store): Promise<number> {
  return (await readdir(join(store.directory, 'l'))).length
}

/** Removes the layers that no image and no live sandbox needs and that nobody used for a while. */
export async function pruneLayers(store: Store, keepMs: number = KEEP_UNUSED_MS): Promise<void> {
  const needed = await neededLayers(store)
  for (const id of await readdir(join(store.directory, 'l'))) {
    const path = join(store.directory, 'l', id)
    const used = await stat(path).catch(() => undefined)
    if (needed.has(id) || !used || Date.now() - used.mtimeMs < keepMs) continue
    const dead = unfinishedPath(store)
    await rename(path, dead).then(
      () => removeTree(store, dead),
      () => undefined,
    )
  }
}

async function neededLayers(store: Store): Promise<Set<string>> {
  const needed = new Set<string>(await readdir(join(store.directory, 'r')))
  for (const id of await readdir(join(store.directory, 'i'))) {
    const path = join(store.directory, 'i', id)
    const used = await stat(path).catch(() => undefined)
    if (used && Date.now() - used.mtimeMs > KEEP_IMAGE_MS) await rm(path, { force: true })
    const text = await readFile(path, 'utf8').catch(() => undefined)
    for (const layer of text ? (JSON.parse(text) as Image).layers : []) needed.add(layer)
  }
  for (const id of await readdir(join(store.directory, 's'))) {
    const text = await readFile(join(store.directory, 's', id, 'layers'), 'utf8').catch(() => '')
    for (const layer of text.split('\n')) needed.add(layer)
  }
  return needed
}
