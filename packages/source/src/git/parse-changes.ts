import { type FileChange, type FileMode, pathFromBytes, R2eError, type WithheldReason } from '@r2e/spec'
import { type PatchSection, parseSections } from './parse-sections.ts'

const COLON = 0x3a
const NEWLINE = 0x0a
const NULL = 0

interface RawEntry {
  readonly status: string
  readonly oldMode: FileChange['oldMode']
  readonly newMode: FileChange['newMode']
  readonly oldBlob: string | undefined
  readonly newBlob: string | undefined
  readonly oldPath: string
  readonly path: string
}

/**
 * Reads what git writes for `--raw -p -z`: first a list of the changed files with exact paths, then their patches in the
 * same order. With `withheld` the list alone is used, as far as it goes, and every change says so.
 */
export function parseChanges(bytes: Buffer, withheld?: WithheldReason): FileChange[] {
  const entries: RawEntry[] = []
  let at = bytes[0] === NEWLINE ? 1 : 0
  while (bytes[at] === COLON) {
    const end = readEntry(bytes, at, entries)
    if (end === undefined) break
    at = end
  }
  if (withheld !== undefined) return entries.map((entry) => ({ ...describe(entry), ...NO_PATCH, withheld }))
  const sections = parseSections(bytes, bytes[at] === NULL ? at + 1 : at)
  return joinSections(bytes, entries, sections)
}

const NO_PATCH = { binary: false, addedLines: 0, deletedLines: 0, patch: new Uint8Array() }

function joinSections(bytes: Buffer, entries: readonly RawEntry[], sections: readonly PatchSection[]): FileChange[] {
  let next = 0
  const changes = entries.map((entry) => {
    // A change between file, link and submodule is written as a deletion and a creation.
    const parts = sections.slice(next, next + (entry.status === 'T' ? 2 : 1))
    next += parts.length
    if (parts.length === 0) throw mismatch(entries.length, sections.length)
    return {
      ...describe(entry),
      binary: parts.some((part) => part.binary),
      addedLines: parts.reduce((sum, part) => sum + part.addedLines, 0),
      deletedLines: parts.reduce((sum, part) => sum + part.deletedLines, 0),
      patch: bytes.subarray(parts[0]!.start, parts.at(-1)!.end),
    }
  })
  if (next !== sections.length) throw mismatch(entries.length, sections.length)
  return changes
}

function mismatch(files: number, sections: number): R2eError {
  return new R2eError('git_output', 'bug', `git lists ${files} changed files but ${sections} patches`)
}

/** Adds the entry at `at`, answers where the next begins; undefined where the entry is cut off. */
function readEntry(bytes: Buffer, at: number, entries: RawEntry[]): number | undefined {
  const metaEnd = bytes.indexOf(NULL, at)
  const firstEnd = metaEnd === -1 ? -1 : bytes.indexOf(NULL, metaEnd + 1)
  if (firstEnd === -1) return undefined
  const [oldMode = '', newMode = '', oldBlob = '', newBlob = '', status = ''] = bytes
    .toString('latin1', at + 1, metaEnd)
    .split(' ')
  const hasTwo = status.startsWith('R') || status.startsWith('C')
  const secondEnd = hasTwo ? bytes.indexOf(NULL, firstEnd + 1) : firstEnd
  if (secondEnd === -1) return undefined
  const oldPath = pathFromBytes(bytes.subarray(metaEnd + 1, firstEnd))
  entries.push({
    status: status.slice(0, 1),
    oldMode: parseMode(oldMode),
    newMode: parseMode(newMode),
    oldBlob: oldMode === '000000' ? undefined : oldBlob,
    newBlob: newMode === '000000' ? undefined : newBlob,
    oldPath,
    path: hasTwo ? pathFromBytes(bytes.subarray(firstEnd + 1, secondEnd)) : oldPath,
  })
  return secondEnd + 1
}

function describe({ status, ...entry }: RawEntry): Omit<FileChange, keyof typeof NO_PATCH> {
  return { ...entry, kind: kindOf(status, entry.oldBlob === entry.newBlob) }
}

function kindOf(status: string, sameContent: boolean): FileChange['kind'] {
  if (status === 'A') return 'added'
  if (status === 'D') return 'deleted'
  if (status === 'R') return 'renamed'
  if (status === 'C') return 'copied'
  return sameContent ? 'mode' : 'modified'
}

/** Trees of old tools hold modes such as 100664, which git itself reads as 100644. */
export function parseMode(mode: string): FileMode | '160000' | undefined {
  if (mode === '000000') return undefined
  if (mode === '120000' || mode === '160000') return mode
  return (Number.parseInt(mode, 8) & 0o100) === 0 ? '100644' : '100755'
}
