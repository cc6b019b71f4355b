import { decodeUtf8, type FileChange } from '@r2e/spec'

/** Lines of a change without their marks; undecodable bytes replaced. */
export interface ChangedText {
  readonly path: string
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Added and context lines, hunk after hunk: what the new file shows around the change. */
  readonly after: readonly string[]
}

/** Reads the hunks of one section. Binary hunks have no lines. */
export function changedText(change: Pick<FileChange, 'path' | 'patch'>): ChangedText {
  const added: string[] = []
  const removed: string[] = []
  const after: string[] = []
  let inHunk = false
  for (const line of decodeUtf8(change.patch).split('\n')) {
    const mark = line[0]
    if (line.startsWith('diff --git ')) inHunk = false
    else if (line.startsWith('@@ ')) inHunk = true
    else if (!inHunk) continue
    else if (mark === '+') {
      added.push(line.slice(1))
      after.push(line.slice(1))
    } else if (mark === '-') removed.push(line.slice(1))
    else if (mark === ' ' || line === '') after.push(line.slice(1))
  }
  return { path: change.path, added, removed, after }
}

/** Lines that a change adds or removes and that say something: a letter or a digit, not a bracket alone. */
export function meaningfulLines(changes: readonly FileChange[]): number {
  return changes
    .map(changedText)
    .flatMap(({ added, removed }) => [...added, ...removed])
    .filter((line) => /[\p{L}\p{N}]/u.test(line)).length
}
