import { decodeUtf8, type Edit, type FileChange, type LanguagePack } from '@r2e/spec'
import { changedText } from './added-lines.ts'

/** What a text must not give away. */
export interface LeakFacts {
  /** Lines that the solution adds, white space collapsed, long enough to be nobody's own words. */
  readonly goldLines: readonly string[]
  /** Names of hidden test cases. */
  readonly hiddenIds: readonly string[]
  readonly hiddenPaths: readonly string[]
  /** Commit ids, and request numbers as decimal digits. */
  readonly ids: readonly string[]
  /** Names that exist only inside the solution: a description that uses them describes the solution. */
  readonly goldNames: readonly string[]
}

const CODE_MARK = /[(){}[\]=;<>]|\w[._:]\w|->/
const NAME = /[A-Za-z_][A-Za-z0-9_]*/g
export interface LeakInput {
  readonly source: readonly FileChange[]
  readonly hidden: readonly Edit[]
  readonly ids: readonly string[]
  readonly languages: readonly LanguagePack[]
}

export function leakFacts({ source, hidden, ids, languages }: LeakInput): LeakFacts {
  const changed = source.map(changedText)
  const removed = new Set(changed.flatMap((text) => text.removed.map(collapsed)))
  const context = new Set(
    changed.flatMap((text) => text.after.filter((line) => !text.added.includes(line)).flatMap(names)),
  )
  const gold = new Set(changed.flatMap((text) => text.added.map(collapsed)).filter((line) => !removed.has(line)))
  const texts = hidden.flatMap((edit) => (edit.kind === 'write' ? [decodeUtf8(edit.content)] : []))
  const tested = new Set(texts.flatMap(names))
  const old = new Set([...removed].flatMap(names))
  const added = new Set([...gold].flatMap(names))
  return {
    goldLines: [...gold].filter(isTelling),
    hiddenIds: hidden.flatMap((edit) => (edit.kind === 'write' ? caseNames(edit.path, edit.content, languages) : [])),
    hiddenPaths: hidden.map((edit) => edit.path),
    ids,
    goldNames: [...added].filter(
      (name) => isCodeName(name) && !old.has(name) && !context.has(name) && !tested.has(name),
    ),
  }
}

export function collapsed(line: string): string {
  return line.trim().replace(/\s+/g, ' ')
}

function isTelling(line: string): boolean {
  if (line.length < 16) return false
  return CODE_MARK.test(line) || line.split(' ').length >= 6
}

function names(line: string): readonly string[] {
  return line.match(NAME) ?? []
}

/** The last part of each case's name, where it is a name and no prose of three words or fewer. */
function caseNames(path: string, content: Uint8Array, languages: readonly LanguagePack[]): readonly string[] {
  const text = decodeUtf8(content)
  const found = languages.flatMap((pack) => (pack.role(path) === 'test' ? pack.testCases(path, text) : []))
  const last = found.map(({ name }) => name.split('::').at(-1)!.replace(/\[.*$/s, ''))
  return [...new Set(last)].filter((name) => /^\w{5,}$/.test(name) || name.split(' ').length > 3)
}

/** Code-shaped, so that no plain word counts: snake_case or camelCase, six letters at least. */
function isCodeName(name: string): boolean {
  return name.length >= 6 && (/[A-Za-z]_[A-Za-z]/.test(name) || /[a-z][A-Z]/.test(name))
}
