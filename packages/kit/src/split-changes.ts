import type { FileChange, FileRole } from '@r2e/spec'

/** The changes of one diff by role, order kept. */
export type SplitChanges = Readonly<Record<FileRole, readonly FileChange[]>>

/**
 * Sorts changes by the role of the path they leave. Give it changes without renames across roles: see
 * {@link separateRenames}.
 */
export function splitChanges(changes: readonly FileChange[], role: (path: string) => FileRole): SplitChanges {
  const split: Record<FileRole, FileChange[]> = { source: [], test: [], docs: [], ci: [], other: [] }
  for (const change of changes) split[role(change.path)].push(change)
  return split
}

/** One patch of many sections, byte for byte. */
export function joinPatches(changes: readonly Pick<FileChange, 'patch'>[]): Uint8Array {
  const joined = new Uint8Array(changes.reduce((length, change) => length + change.patch.length, 0))
  let at = 0
  for (const { patch } of changes) {
    joined.set(patch, at)
    at += patch.length
  }
  return joined
}

/** Added plus deleted lines. */
export function countLines(changes: readonly FileChange[]): number {
  return changes.reduce((sum, change) => sum + change.addedLines + change.deletedLines, 0)
}

/** Whether a change sets, moves or removes a submodule link, which no patch can carry into a snapshot. */
export function touchesSubmodule(change: FileChange): boolean {
  return change.oldMode === '160000' || change.newMode === '160000'
}
