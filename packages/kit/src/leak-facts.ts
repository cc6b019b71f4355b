import { decodeUtf8, type FileChange, type HiddenEdit, type LanguagePack } from '@r2e/spec'
import { changedText } from './added-lines.ts'
import { definitions } from './definitions.ts'

/** What a text must not give away. */
export interface LeakFacts {
  /** Lines that the solution adds, white space collapsed, long enough to be nobody's own words. */
  readonly goldLines: readonly string[]
  /** Names of hidden test cases. */
  readonly hiddenIds: readonly string[]
  readonly hiddenPaths: readonly string[]
  /** Commit ids, and request numbers as decimal digits. */
  readonly ids: readonly string[]
  /** Names that the solution defines and no test uses: a description that speaks of them describes the solution. */
  readonly goldNames: readonly string[]
}

const CODE_MARK = /[(){}[\]=;<>]|\w[._:]\w|->/
const NAME = /[A-Za-z_][A-Za-z0-9_]*/g

export interface LeakInput {
  readonly source: readonly FileChange[]
  readonly hidden: readonly HiddenEdit[]
  readonly ids: readonly string[]
  readonly languages: readonly LanguagePack[]
}

export function leakFacts({ source, hidden, ids, languages }: LeakInput): LeakFacts {
  const changed = source.map(changedText)
  const removed = new Set(changed.flatMap((text) => text.removed.map(collapsed)))
  const gold = new Set(changed.flatMap((text) => text.added.map(collapsed)).filter((line) => !removed.has(line)))
  const tested = new Set(
    hidden.flatMap((edit) => (edit.kind !== 'delete' ? (decodeUtf8(edit.content).match(NAME) ?? []) : [])),
  )
  const defined = new Set(changed.flatMap((text) => definitions(text).map(({ name }) => name)))
  const old = new Set([...removed].flatMap((line) => line.match(NAME) ?? []))
  return {
    goldLines: [...gold].filter(isTelling),
    hiddenIds: hidden.flatMap((edit) => caseNames(edit, languages)),
    hiddenPaths: hidden.filter(({ kind }) => kind !== 'inline').map((edit) => edit.path),
    ids,
    goldNames: [...defined].filter((name) => isCodeName(name) && !old.has(name) && !tested.has(name)),
  }
}

export function collapsed(line: string): string {
  return line.trim().replace(/\s+/g, ' ')
}

function isTelling(line: string): boolean {
  if (line.length < 16) return false
  return CODE_MARK.test(line) || line.split(' ').length >= 6
}

/** The last part of each case's name, where it is a name and no prose of three words or fewer. */
function caseNames(edit: HiddenEdit, languages: readonly LanguagePack[]): readonly string[] {
  if (edit.kind === 'delete') return []
  const text = decodeUtf8(edit.content)
  const isKnown = ({ role }: LanguagePack) =>
    edit.kind === 'inline' ? role(edit.path) === 'source' : role(edit.path) !== undefined
  const found = languages.filter(isKnown).flatMap((pack) => pack.testCases(edit.path, text))
  const last = found.map(({ name }) => name.split('::').at(-1)!.replace(/\[.*$/s, ''))
  return [...new Set(last)].filter((name) => /^\w{5,}$/.test(name) || name.split(' ').length > 3)
}

/** Code-shaped, so that no plain word counts: snake_case or camelCase, six letters at least. */
function isCodeName(name: string): boolean {
  return name.length >= 6 && (/[A-Za-z]_[A-Za-z]/.test(name) || /[a-z][A-Z]/.test(name))
}
