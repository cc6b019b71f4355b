import { encodeUtf8, type FileMode } from '@r2e/spec'
import { type LineChange, lineChanges } from './line-hunks.ts'
import { concatenate, quoted } from './whole-file-patch.ts'

export interface EditedFile {
  readonly path: string
  /** undefined: the file is new. */
  readonly oldMode: FileMode | undefined
  readonly newMode: FileMode
  readonly before: string
  readonly after: string
}

export interface EditedPatch {
  readonly patch: Uint8Array
  readonly addedLines: number
  readonly deletedLines: number
}

const CONTEXT = 3

/** The section that makes one text of another, as git writes it, without ids of blobs that no repository holds. */
export function editedFilePatch({ path, oldMode, newMode, before, after }: EditedFile): EditedPatch {
  const [old, now] = [linesOf(before), linesOf(after)]
  const changes = lineChanges(old, now)
  const name = (prefix: string) => {
    const plain = quoted(prefix, path)
    return concatenate([plain, path.includes(' ') && plain[0] !== 0x22 ? '\t\n' : '\n'])
  }
  const parts: (string | Uint8Array)[] = ['diff --git ', quoted('a/', path), ' ', quoted('b/', path), '\n']
  if (oldMode === undefined) parts.push(`new file mode ${newMode}\n`)
  else if (oldMode !== newMode) parts.push(`old mode ${oldMode}\nnew mode ${newMode}\n`)
  if (changes.length > 0) parts.push('--- ', oldMode === undefined ? '/dev/null\n' : name('a/'), '+++ ', name('b/'))
  for (const group of groups(changes)) parts.push(encodeUtf8(hunk(group, old, now)))
  return {
    patch: concatenate(parts),
    addedLines: changes.reduce((sum, change) => sum + change.newCount, 0),
    deletedLines: changes.reduce((sum, change) => sum + change.oldCount, 0),
  }
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/)
}

/** Changes that share their context stand in one hunk. */
function groups(changes: readonly LineChange[]): LineChange[][] {
  const found: LineChange[][] = []
  for (const change of changes) {
    const last = found.at(-1)?.at(-1)
    if (last && change.oldAt - (last.oldAt + last.oldCount) <= 2 * CONTEXT) found.at(-1)!.push(change)
    else found.push([change])
  }
  return found
}

function hunk(group: readonly LineChange[], old: readonly string[], now: readonly string[]): string {
  const [first, last] = [group[0]!, group.at(-1)!]
  const start = Math.max(0, first.oldAt - CONTEXT)
  const end = Math.min(old.length, last.oldAt + last.oldCount + CONTEXT)
  const lines: string[] = []
  const add = (mark: string, part: readonly string[]) => {
    for (const line of part)
      lines.push(`${mark}${line}${line.endsWith('\n') ? '' : '\n\\ No newline at end of file\n'}`)
  }
  let at = start
  for (const { oldAt, oldCount, newAt, newCount } of group) {
    add(' ', old.slice(at, oldAt))
    add('-', old.slice(oldAt, oldAt + oldCount))
    add('+', now.slice(newAt, newAt + newCount))
    at = oldAt + oldCount
  }
  add(' ', old.slice(at, end))
  const newStart = start + first.newAt - first.oldAt
  const newCount = end - start + group.reduce((sum, change) => sum + change.newCount - change.oldCount, 0)
  return `@@ -${range(start, end - start)} +${range(newStart, newCount)} @@\n${lines.join('')}`
}

/** An empty range is named by the line before it. */
function range(start: number, count: number): string {
  return `${count === 0 ? start : start + 1}${count === 1 ? '' : `,${count}`}`
}
