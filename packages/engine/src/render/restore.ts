import { testCodeOf } from '@r2e/kit'
import {
  decodeUtf8,
  type Edit,
  encodeUtf8,
  type FileEntry,
  type FileMode,
  type FileRole,
  type HiddenEdit,
  type InlineFile,
  type InlinePlan,
  type LanguagePack,
  type LeftFile,
  type PurgeRule,
  type RestoreFile,
  type RestorePlan,
  sha256Hex,
} from '@r2e/spec'
import { editTree } from './edit-tree.ts'
import { comparePaths, isTreePath, sortByPath } from './path-order.ts'
import { matchesName, mergePurge, purgeFolders } from './purge-rule.ts'
import type { SnapshotEntry } from './task-input.ts'

export interface RestoreInput {
  /** Files of the snapshot. */
  readonly baseEntries: readonly SnapshotEntry[]
  /** What the solution does to the snapshot (`applySolution(…).edits`). */
  readonly solvedEdits: readonly Edit[]
  readonly hidden: readonly HiddenEdit[]
  readonly packs: readonly LanguagePack[]
  role(path: string): FileRole
  /** Contents of snapshot files. */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>
  /** Bytes of test data that get a copy, the smallest first; what is left must be as it was. Default 20 MB. */
  readonly dataLimit?: number | undefined
}

export interface Restored {
  readonly restore: RestorePlan
  /** Below tests/files/. */
  readonly files: readonly FileEntry[]
}

interface Entry {
  readonly path: string
  readonly mode: FileMode
  readonly size: number
  /** undefined: as in the snapshot. */
  readonly content: Uint8Array | undefined
}

const DATA_LIMIT = 20_000_000

/**
 * Everything that belongs to the grader, as it is in the solved tree: hidden files, test files and their data, files
 * that steer the runner. What the solution removes of these is removed, what the agent adds where only the grader may
 * write is purged.
 */
export async function restoreFiles(input: RestoreInput): Promise<Restored> {
  const tree = solvedTree(input)
  const purge = mergePurge(input.packs)
  const graders = gradersOwn(input, purge)
  const owned = [...tree.values()].filter(({ path }) => graders(path) || input.role(path) === 'test')
  const isNeeded = ({ path, mode }: Entry) => graders(path) || mode === '120000' || isCode(path, input.packs)
  const left = tooMuch(
    owned.filter((entry) => !isNeeded(entry)),
    input.dataLimit ?? DATA_LIMIT,
  )
  const kept = owned.filter((entry) => !left.has(entry))
  const folders = purgeFolders(tree.keys(), input.role).filter(
    (folder) => ![...left].some((entry) => isBelow(entry, folder)),
  )
  const files = await copies(kept, input)
  const inline = await inlineTests(
    [...tree.values()].filter(({ path }) => !graders(path)),
    input,
  )
  return {
    restore: {
      schema: 'r2e.restore/1',
      files: files.map(({ row }) => row),
      delete: removed(input, tree, graders),
      purge: { ...purge, folders: [...new Set([...purge.folders, ...folders])].sort() },
      ...(left.size > 0 && { left: (await copies([...left], input)).map(({ row }) => leftFile(row)) }),
      ...(inline && { inline: inline.plan }),
    },
    files: uniqueByPath([...files.map(({ copy }) => copy), ...(inline?.files ?? [])]),
  }
}

/** The largest files that are too many bytes together with the smaller ones. */
function tooMuch(data: readonly Entry[], limit: number): ReadonlySet<Entry> {
  const smallestFirst = [...data].sort((a, b) => a.size - b.size || comparePaths(a.path, b.path))
  let total = 0
  const first = smallestFirst.findIndex(({ size }) => {
    total += size
    return total > limit
  })
  return new Set(first < 0 ? [] : smallestFirst.slice(first))
}

const leftFile = ({ path, sha256 }: RestoreFile): LeftFile => ({ path, sha256 })

function solvedTree({ baseEntries, solvedEdits, hidden }: RestoreInput): Map<string, Entry> {
  const tree = new Map<string, Entry>()
  for (const { path, mode, size } of baseEntries) tree.set(path, { path, mode, size, content: undefined })
  const edits = [...solvedEdits, ...wholeFiles(hidden)].filter((edit) => isTreePath(edit.path))
  editTree(tree, edits, ({ path, mode, content }) => ({ path, mode, size: content.length, content }))
  return new Map(sortByPath([...tree.values()]).map((entry) => [entry.path, entry]))
}

function wholeFiles(hidden: readonly HiddenEdit[]): Edit[] {
  return hidden.filter((edit) => edit.kind !== 'inline')
}

interface Inline {
  readonly plan: InlinePlan
  readonly files: readonly FileEntry[]
}

/** The test code of every source file of a language that keeps it there, as it is in the solved tree. */
async function inlineTests(
  entries: readonly Entry[],
  { hidden, packs, role, read }: RestoreInput,
): Promise<Inline | undefined> {
  const pack = packs.find(({ inlineTests }) => inlineTests)
  if (!pack) return undefined
  const given = new Map(hidden.flatMap((edit) => (edit.kind === 'inline' ? [[edit.path, edit.content] as const] : [])))
  const sources = entries.filter(
    ({ path, mode }) => mode !== '120000' && pack.detect([path]) > 0 && role(path) === 'source',
  )
  const contents = await read(sources.filter(({ content }) => content === undefined).map(({ path }) => path))
  const found: { row: InlineFile; copy: FileEntry }[] = []
  for (const { path, content = contents.get(path) } of sources) {
    const find = (text: string) => pack.inlineTests!(path, text)
    const tests = given.get(path) ?? encodeUtf8(content ? testCodeOf(decodeUtf8(content), find) : '')
    if (tests.length === 0) continue
    const sha256 = sha256Hex(tests)
    const from = `${sha256.slice(0, 16)}-${plainName(path)}`
    found.push({ row: { path, from, sha256 }, copy: { path: from, mode: '100644', content: tests } })
  }
  const plan = { language: pack.name, files: found.map(({ row }) => row) }
  return { plan, files: found.map(({ copy }) => copy) }
}

/** Hidden files, runner files, and files that the purge rule names and that would be lost without a copy. */
function gradersOwn({ hidden, packs }: RestoreInput, purge: PurgeRule): (path: string) => boolean {
  const hiddenPaths = new Set(wholeFiles(hidden).map((edit) => edit.path))
  const runnerFiles = new Set(packs.flatMap((pack) => pack.runnerFiles))
  const named = (name: string) => purge.names.some((pattern) => matchesName(pattern, name))
  return (path) => hiddenPaths.has(path) || runnerFiles.has(baseName(path)) || path.split('/').some(named)
}

function isCode(path: string, packs: readonly LanguagePack[]): boolean {
  return packs.some((pack) => pack.detect([path]) > 0)
}

interface Copy {
  readonly row: RestoreFile
  readonly copy: FileEntry
}

/** Links are kept as plain files that hold the target, so that no link can leave the task. */
async function copies(entries: readonly Entry[], { read }: RestoreInput): Promise<Copy[]> {
  const contents = await read(entries.filter((entry) => entry.content === undefined).map((entry) => entry.path))
  return entries.map((entry) => {
    const content = entry.content ?? contents.get(entry.path) ?? new Uint8Array()
    const sha256 = sha256Hex(content)
    const from = `${sha256.slice(0, 16)}-${plainName(entry.path)}`
    return {
      row: { path: entry.path, mode: entry.mode, from, sha256 },
      copy: { path: from, mode: '100644', content },
    }
  })
}

/** A name that no tool gives a meaning to: never hidden, an ignore file, or one that packaging leaves out, as `.pyc`. */
function plainName(path: string): string {
  const name = baseName(path).replace(/[^A-Za-z0-9._-]/g, '_')
  return `${name.slice(-80)}.copy`
}

/** What belongs to the grader and is in no place of the solved tree. */
function removed(
  { baseEntries, solvedEdits, hidden, role }: RestoreInput,
  tree: ReadonlyMap<string, Entry>,
  graders: (path: string) => boolean,
): string[] {
  const known = new Set([...baseEntries, ...solvedEdits, ...wholeFiles(hidden)].map(({ path }) => path))
  return [...known]
    .filter((path) => isTreePath(path) && !tree.has(path) && (graders(path) || role(path) === 'test'))
    .sort(comparePaths)
}

function isBelow(entry: Entry, folder: string): boolean {
  return entry.path.startsWith(`${folder}/`)
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function uniqueByPath(files: readonly FileEntry[]): FileEntry[] {
  return sortByPath([...new Map(files.map((file) => [file.path, file])).values()])
}
