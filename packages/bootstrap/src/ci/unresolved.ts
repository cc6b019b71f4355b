/**
 * Stands for a piece of text whose value is known only when the job runs: a secret, an output of a step, `$(uname -r)`.
 * A character of the private-use area, which no name, version or command of interest holds.
 */
export const unresolved = '\uE000'

export function isResolved(text: string): boolean {
  return !text.includes(unresolved)
}

/** A folder below another, both relative to the root of the tree; what leads out of the tree is unresolved. */
export function joinFolder(folder: string, path: string): string {
  if (!isResolved(folder + path) || path.startsWith('/') || path.startsWith('~')) return unresolved
  const parts: string[] = []
  for (const part of `${folder}/${path}`.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return unresolved
  }
  return parts.join('/')
}
