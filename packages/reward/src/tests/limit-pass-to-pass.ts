import { foldersOf } from './scope.ts'

export interface Proximity {
  /** Paths that the oracle changes. */
  readonly changedPaths: readonly string[]
  readonly failToPass: readonly string[]
}

/**
 * At most `cap` ids, the nearest first (contract §3): by distance in folders to a changed file, then tests of a scope
 * that holds a fail-to-pass test, then id order. The answer is sorted by id. A scope may have a prefix that is no
 * folder of the tree (the module of a Go import path), so leading parts of it cost nothing.
 */
export function limitPassToPass(ids: readonly string[], cap: number | undefined, near: Proximity): string[] {
  const sorted = [...ids].sort()
  if (cap === undefined || sorted.length <= cap) return sorted
  const changed = unique(near.changedPaths.map((path) => path.split('/').slice(0, -1)))
  const neighbours = new Set(near.failToPass.map(scopeOf))
  const distances = new Map<string, number>()
  const distance = (id: string) => {
    const folders = foldersOf(id)
    const key = folders.join('/')
    const known = distances.get(key) ?? Math.min(...changed.map((other) => folderDistance(folders, other)))
    distances.set(key, known)
    return known
  }
  const ranked = sorted.map((id) => ({ id, distance: distance(id), far: neighbours.has(scopeOf(id)) ? 0 : 1 }))
  ranked.sort((x, y) => (x.distance < y.distance ? -1 : x.distance > y.distance ? 1 : x.far - y.far))
  return ranked
    .slice(0, cap)
    .map(({ id }) => id)
    .sort()
}

function scopeOf(id: string): string {
  const end = id.indexOf('::')
  return end < 0 ? id.slice(0, Math.max(0, id.lastIndexOf('.'))) : id.slice(0, end)
}

/** Steps up and down between two folders, the best over all ends of `folders`. */
function folderDistance(folders: readonly string[], other: readonly string[]): number {
  let best = other.length
  for (let start = 0; start < folders.length; start++) {
    const tail = folders.slice(start)
    let shared = 0
    while (shared < tail.length && tail[shared] === other[shared]) shared++
    best = Math.min(best, tail.length + other.length - 2 * shared)
  }
  return best
}

function unique(folders: readonly (readonly string[])[]): (readonly string[])[] {
  return [...new Map(folders.map((parts) => [parts.join('/'), parts])).values()]
}
