/**
 * Stands for a piece of text whose value is known only when the job runs: a secret, an output of a step, `$(uname -r)`.
 * A character of the private-use area, which no name, version or command of interest holds.
 */
export const unresolved = '\uE000'

export function isResolved(text: string): boolean {
  return !text.includes(unresolved)
}
