import { type FileEntry, pathToBytes } from '@r2e/spec'

/** Order of paths by their bytes, the order git and Harbor use. */
export function comparePaths(a: string, b: string): number {
  if (a === b) return 0
  return Buffer.compare(pathToBytes(a), pathToBytes(b))
}

export function sortByPath<T extends { readonly path: string }>(files: readonly T[]): T[] {
  return [...files].sort((a, b) => comparePaths(a.path, b.path))
}

/** Whether a path stays below the folder it is resolved against, whatever the file system. */
export function isSafePath(path: string): boolean {
  if (path === '' || path.includes('\0') || path.startsWith('/')) return false
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
}

/** Bytes of a path and of a name that Linux opens; what is left of 4096 is room for the folder a tree is put in. */
const PATH_LIMIT = 3_900
const NAME_LIMIT = 255

/** Whether git would check a path out: safe, not too long, and without a `.git` component in any case. */
export function isTreePath(path: string): boolean {
  if (!isSafePath(path) || pathToBytes(path).length > PATH_LIMIT) return false
  return path.split('/').every((part) => part.toLowerCase() !== '.git' && pathToBytes(part).length <= NAME_LIMIT)
}

/** Whether a file system can hold a file or link of a tree by itself. */
export function isTreeFile({ path, mode, content }: FileEntry): boolean {
  if (!isTreePath(path)) return false
  return mode !== '120000' || (content.length > 0 && content.length < 4096 && !content.includes(0))
}
