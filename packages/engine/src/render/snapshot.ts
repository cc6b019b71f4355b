import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { digestOf, type Edit, type FileEntry, R2eError, type Tree } from '@r2e/spec'
import { editTree } from './edit-tree.ts'
import { gitTreeId } from './git-tree.ts'
import { comparePaths, isTreePath, sortByPath } from './path-order.ts'
import type { Snapshot } from './task-input.ts'
import { type TarEntry, writeTar } from './write-tar.ts'

/**
 * Packs a tree with edits applied. Bytes come from git's objects, not from `git archive`, so that no attribute of the
 * tree leaves out or rewrites a file; submodules are empty folders.
 */
export async function snapshotTree(tree: Tree, setup: readonly Edit[]): Promise<Snapshot> {
  const entries = await tree.entries()
  const omitted = entries.map((entry) => entry.path).filter((path) => !isTreePath(path))
  const contents = await tree.readAll(entries.map((entry) => entry.path))
  const files = new Map<string, FileEntry>()
  for (const entry of entries) {
    const content = contents.get(entry.path)
    if (content === undefined) throw missing(tree.commit, entry.path)
    if (isTreePath(entry.path)) files.set(entry.path, { path: entry.path, mode: entry.mode, content })
  }
  editTree(files, setup, ({ path, mode, content }) => ({ path, mode, content }))
  return packSnapshot(sortByPath([...files.values()]), await tree.submodules(), omitted)
}

async function packSnapshot(
  files: readonly FileEntry[],
  submodules: readonly string[],
  omitted: readonly string[],
): Promise<Snapshot> {
  const folders = submodules.filter(isTreePath).map((path): TarEntry => ({ path, mode: 'folder', content: none }))
  const archive = await pack([...folders, ...files].sort((a, b) => comparePaths(a.path, b.path)))
  return {
    archive,
    tree: gitTreeId(files),
    digest: digestOf(archive),
    entries: files.map(({ path, mode, content }) => ({ path, mode, size: content.length })),
    omitted,
  }
}

const none = new Uint8Array()

/** The header of a gzip member names the operating system; 255 is "unknown". */
async function pack(entries: readonly TarEntry[]): Promise<Uint8Array> {
  const bytes = await promisify(gzip)(writeTar(entries), { level: 6 })
  bytes[9] = 255
  return bytes
}

function missing(commit: string, path: string): R2eError {
  return new R2eError('object_missing', 'bug', `${commit}: the content of ${JSON.stringify(path)} could not be read`)
}
