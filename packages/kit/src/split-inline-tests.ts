import {
  encodeUtf8,
  type FileChange,
  type FileMode,
  type FileRole,
  type InlineEdit,
  type LanguagePack,
  type Tree,
  tryDecodeUtf8,
} from '@r2e/spec'
import { editedFilePatch } from './edited-file-patch.ts'
import { type FindPieces, spliceTests, testCodeOf } from './splice-tests.ts'

export interface InlineInput {
  readonly changes: readonly FileChange[]
  readonly before: Tree
  readonly after: Tree
  readonly languages: readonly LanguagePack[]
  role(path: string): FileRole
}

export interface InlineSplit {
  /** The changes without what they do to test code inside source files. */
  readonly changes: readonly FileChange[]
  readonly inline: readonly InlineTests[]
  /** A file whose change brings tests that cannot be taken out of it. */
  readonly stray: string | undefined
}

/** What a change does to the test code of one source file. */
export interface InlineTests {
  readonly edit: InlineEdit
  /** The test code alone, before and after, and the change between them. */
  readonly before: string
  readonly after: string
  readonly change: FileChange
}

/**
 * Takes test code out of changes to source files, for languages that keep it there: what is left puts the new source
 * beside the old test code. Patches of halves of renames are left open: see {@link fillPatches}.
 */
export async function splitInlineTests(input: InlineInput): Promise<InlineSplit> {
  const split = await Promise.all(input.changes.map((change) => splitChange(change, input)))
  return {
    changes: split.flatMap(({ changes }) => changes),
    inline: split.flatMap(({ inline }) => inline ?? []),
    stray: split.find(({ stray }) => stray)?.changes[0]?.path,
  }
}

/** The language that keeps test code inside a source file of this path, if any. */
export function inlineLanguage(path: string, languages: readonly LanguagePack[]): LanguagePack | undefined {
  return languages.find((pack) => pack.inlineTests && pack.role(path) === 'source')
}

interface SplitChange {
  readonly changes: readonly FileChange[]
  readonly inline?: InlineTests
  readonly stray?: boolean
}

async function splitChange(change: FileChange, { before, after, languages, role }: InlineInput): Promise<SplitChange> {
  const pack = role(change.path) === 'source' ? inlineLanguage(change.path, languages) : undefined
  if (!pack || change.kind === 'deleted' || change.newMode === '120000') return { changes: [change] }
  const [old, now] = await Promise.all([
    change.kind === 'added' ? '' : text(before, change.oldPath),
    text(after, change.path),
  ])
  if (old === undefined || now === undefined) return { changes: [change] }
  const find: FindPieces = (source) => pack.inlineTests!(change.path, source)
  const tests = { before: testCodeOf(old, find), after: testCodeOf(now, find) }
  if (bringsStrayTests(pack, change, { old, now, find })) return { changes: [change], stray: true }
  if (tests.before === tests.after) return { changes: [change] }
  const edit: InlineEdit = { kind: 'inline', path: change.path, content: encodeUtf8(tests.after) }
  const source = spliceTests(now, tests.before, find)
  const patched = (from: string, to: string, extra: Partial<FileChange> = {}): FileChange => {
    const merged = { ...change, ...extra }
    const oldMode = merged.kind === 'added' ? undefined : (change.oldMode as FileMode)
    const file = { path: change.path, oldMode, newMode: change.newMode as FileMode, before: from, after: to }
    return { ...merged, ...editedFilePatch(file) }
  }
  const inline = {
    edit,
    ...tests,
    change: patched(tests.before, tests.after, { kind: 'modified', oldPath: change.path }),
  }
  if (change.kind === 'renamed' || change.kind === 'copied') {
    const added = patched('', source, { kind: 'added', oldPath: change.path, oldMode: undefined, oldBlob: undefined })
    return { changes: change.kind === 'copied' ? [added] : [deletionOf(change), added], inline }
  }
  const untouched = source === old && change.oldMode === change.newMode && change.kind !== 'added'
  return { changes: untouched ? [] : [patched(old, source)], inline }
}

function deletionOf(change: FileChange): FileChange {
  const none = { newMode: undefined, newBlob: undefined, patch: new Uint8Array() }
  return { ...change, path: change.oldPath, kind: 'deleted', ...none }
}

async function text(tree: Tree, path: string): Promise<string | undefined> {
  const bytes = await tree.read(path)
  return bytes && tryDecodeUtf8(bytes)
}

interface Sides {
  readonly old: string
  readonly now: string
  readonly find: FindPieces
}

/** Whether tests outside every piece are new or changed: the solution would bring what it is judged by. */
function bringsStrayTests(pack: LanguagePack, change: FileChange, { old, now, find }: Sides): boolean {
  const cases = (path: string, source: string) => pack.testCases(path, spliceTests(source, '', find))
  const known = new Map(cases(change.oldPath, old).map(({ name, text: code }) => [name, code]))
  return cases(change.path, now).some(({ name, text: code }) => known.get(name) !== code)
}
