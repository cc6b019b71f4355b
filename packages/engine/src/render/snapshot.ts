import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { digestOf, type Edit, type FileEntry, R2eError, type Tree } from '@r2e/spec'
import { editTree, parentsOf } from './edit-tree.ts'
import { gitTreeId } from './git-tree.ts'
import { comparePaths, isTreeFile, isTreePath, sortByPath } from './path-order.ts'
import type { Snapshot } from './task-input.ts'
import { type TarEntry, writeTar } from './write-tar.ts'

/**
 * Packs a tree with edits applied. Bytes come from git's objects, not from `git archive`, so that no attribute of the
 * tree leaves out or rewrites a file; submodules are empty folders.
 */
export async function snapshotTree(tree: Tree, setup: readonly Edit[]): Promise<Snapshot> {
  const entries = await tree.entries()
  const omitted: string[] = []
  const standing = new Set(entries.map((entry) => entry.path))
  const contents = await tree.readAll(entries.map((entry) => entry.path))
  const files = new Map<string, FileEntry>()
  for (const entry of entries) {
    const content = contents.get(entry.path)
    if (content === undefined) throw missing(tree.commit, entry.path)
    const file = { path: entry.path, mode: entry.mode, content }
    if (isTreeFile(file) && isReachable(file.path, standing)) files.set(file.path, file)
    else omitted.push(file.path)
  }
  editTree(files, setup, ({ path, mode, content }) => ({ path, mode, content }))
  const submodules = (await tree.submodules()).filter((path) => isTreePath(path) && isReachable(`${path}/`, files))
  return packSnapshot(sortByPath([...files.values()]), submodules, omitted)
}

/** A damaged tree may hold a name as a file and as a folder; no file system can, and the file stays. */
function isReachable(path: string, standing: { has(path: string): boolean }): boolean {
  return !parentsOf(path).some((parent) => standing.has(parent))
}

async function packSnapshot(
  files: readonly FileEntry[],
  submodules: readonly string[],
  omitted: readonly string[],
): Promise<Snapshot> {
  const folders = submodules.map((path): TarEntry => ({ path, mode: 'folder', content: none }))
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
