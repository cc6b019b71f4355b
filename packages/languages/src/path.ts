/** The folder of a path, `` at the root. */
export function folderOf(path: string): string {
  const at = path.lastIndexOf('/')
  return at < 0 ? '' : path.slice(0, at)
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Joins with `/` and resolves `.` and `..`; undefined where the path leaves the tree. */
export function joinPath(folder: string, path: string): string | undefined {
  if (path.startsWith('/')) return undefined
  const parts = folder === '' ? [] : folder.split('/')
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return undefined
  }
  return parts.join('/')
}

/** Orders paths by their depth, then by name. */
export function shallowFirst(a: string, b: string): number {
  return a.split('/').length - b.split('/').length || (a < b ? -1 : 1)
}

/** An argument that no program takes for an option. */
export function argumentPath(path: string): string {
  return path.startsWith('-') || path.startsWith('@') ? `./${path}` : path
}

/** Splits arguments so that no command line grows beyond a safe length. */
export function chunkArguments(paths: readonly string[], bytes = 24_000): string[][] {
  const chunks: string[][] = []
  let room = 0
  for (const path of paths) {
    const size = path.length * 3 + 1
    if (chunks.length === 0 || size > room) {
      chunks.push([])
      room = bytes
    }
    chunks.at(-1)!.push(path)
    room -= size
  }
  return chunks
}

const documentation = new Set(['docs', 'doc', 'documentation', 'example', 'examples'])

/** Whether a path lies below a root folder of documentation or examples: never a test (contract §3). */
export function isDocumentation(path: string): boolean {
  const at = path.indexOf('/')
  return at > 0 && documentation.has(path.slice(0, at).toLowerCase())
}
