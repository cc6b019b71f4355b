import { pathToBytes } from '@r2e/spec'

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

/** Whether git would check a path out: safe, and without a `.git` component in any case. */
export function isTreePath(path: string): boolean {
  return isSafePath(path) && path.split('/').every((part) => part.toLowerCase() !== '.git')
}
