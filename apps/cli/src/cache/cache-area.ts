import { readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { openStore } from '../compose/environment-store.ts'
import { forgetEnvironment } from '../compose/forget-environment.ts'
import { pruneLayers } from '../compose/prune-layers.ts'
import type { Context } from '../context.ts'
import { measure } from './measure.ts'

export interface CacheEntry {
  readonly name: string
  readonly bytes: number
  /** Milliseconds since 1970: when it was used last as far as its folder tells, else made. */
  readonly usedAt: number
  remove(): Promise<void>
}

/** One kind of thing that is kept to save time. Losing it costs that time and nothing else. */
export interface CacheArea {
  readonly name: string
  readonly text: string
  readonly path: string
  entries(): Promise<readonly CacheEntry[]>
  /** For things that only their owner can remove: removes what is unused for so long, and answers how many went. */
  prune?(olderThanMs: number): Promise<number>
}

export interface CachePlaces {
  readonly stateDirectory: string
  readonly cacheDirectory: string
  readonly context: Context
}

export function cacheAreas(places: CachePlaces): readonly CacheArea[] {
  const state = (...parts: string[]) => join(places.stateDirectory, ...parts)
  return [
    folderArea({ name: 'clones', text: 'bare copies of repositories', path: state('cache', 'git'), depth: 1 }),
    folderArea({ name: 'observations', text: 'results of test runs', path: state('cache', 'observations'), depth: 1 }),
    folderArea({ name: 'replies', text: 'answers of models', path: state('cache', 'replies'), depth: 2 }),
    folderArea({ name: 'blobs', text: 'files of tasks, for --resume', path: state('blobs'), depth: 2 }),
    layerArea(places),
    environmentArea(places),
  ]
}

interface FolderArea extends Pick<CacheArea, 'name' | 'text' | 'path'> {
  /** Levels down to what is one entry. */
  readonly depth: 1 | 2
}

function folderArea({ depth, ...area }: FolderArea): CacheArea {
  return {
    ...area,
    async entries() {
      const first = await namesIn(area.path)
      const names = depth === 1 ? first : (await Promise.all(first.map((name) => namesBelow(area.path, name)))).flat()
      const kept = names.filter((name) => !basename(name).startsWith('.tmp-') && !name.endsWith('.lock'))
      return await Promise.all(kept.map((name) => fileEntry(area.path, name)))
    },
  }
}

async function fileEntry(folder: string, name: string): Promise<CacheEntry> {
  const path = join(folder, name)
  const { bytes, changedAt } = await measure(path)
  return { name, bytes, usedAt: changedAt, remove: () => removeAtOnce(path) }
}

/** Out of the way first, so that nobody finds half of it. */
async function removeAtOnce(path: string): Promise<void> {
  const going = join(dirname(path), `.going-${basename(path)}`)
  await rename(path, going).catch(() => {})
  await rm(going, { recursive: true, force: true })
}

async function namesBelow(folder: string, name: string): Promise<readonly string[]> {
  return (await namesIn(join(folder, name))).map((inner) => `${name}/${inner}`)
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(() => [])).sort()
}

function layerArea({ stateDirectory, context }: CachePlaces): CacheArea {
  const path = join(stateDirectory, 'sandbox', 'l')
  return {
    ...folderArea({ name: 'layers', text: 'build layers of the local sandbox', path, depth: 1 }),
    prune: (olderThanMs) => pruneLayers({ stateDirectory, context, olderThanMs }),
  }
}

function environmentArea({ stateDirectory, cacheDirectory, context }: CachePlaces): CacheArea {
  return {
    name: 'environments',
    text: 'proven environments; their images are not counted',
    path: cacheDirectory,
    async entries() {
      const store = await openStore(cacheDirectory)
      const all = await store.list()
      const sized = async (environment: (typeof all)[number]): Promise<CacheEntry> => ({
        name: environment.id,
        bytes: (await measure(environment.path)).bytes,
        usedAt: environment.usedAt,
        async remove() {
          await forgetEnvironment(environment, { store, stateDirectory, rootfs: null, context })
          await store.removeUnused()
        },
      })
      return await Promise.all(all.map(sized))
    },
  }
}
