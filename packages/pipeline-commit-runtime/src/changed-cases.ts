import { type InlineTests, pathRole } from '@r2e/kit'
import { decodeUtf8, type FileChange, type LanguagePack, type Tree } from '@r2e/spec'

export interface CaseInput {
  readonly tests: readonly FileChange[]
  /** Changed test code inside source files. */
  readonly inline: readonly InlineTests[]
  readonly before: Tree
  readonly after: Tree
  readonly languages: readonly LanguagePack[]
}

/**
 * Whether a test case is new or changed: a function, a parameter row, a table case, or a data file beside the tests.
 * Comments, blanks and removed cases do not count.
 */
export async function hasChangedCase({ tests, inline, before, after, languages }: CaseInput): Promise<boolean> {
  for (const { edit, before: old, after: now } of inline) {
    const cases = (text: string) =>
      languages.flatMap((pack) => (pack.inlineTests ? pack.testCases(edit.path, text) : []))
    const known = new Map(cases(old).map(({ name, text }) => [name, text]))
    if (cases(now).some(({ name, text }) => known.get(name) !== text)) return true
  }
  for (const change of tests) {
    if (change.kind === 'deleted') continue
    const [old, now] = await Promise.all([before.read(change.oldPath), after.read(change.path)])
    if (now === undefined) continue
    const known = casesOf(change.oldPath, old, languages)
    const cases = casesOf(change.path, now, languages)
    if ([...cases].some(([name, text]) => known.get(name) !== text)) return true
    if (cases.size === 0 && isData(change.path) && change.oldBlob !== change.newBlob) return true
  }
  return false
}

function casesOf(
  path: string,
  content: Uint8Array | undefined,
  languages: readonly LanguagePack[],
): ReadonlyMap<string, string> {
  if (content === undefined) return new Map()
  const source = decodeUtf8(content)
  if (pathRole(path, languages) !== 'test') return new Map()
  const cases = languages.flatMap((pack) => (pack.role(path) === undefined ? [] : pack.testCases(path, source)))
  return new Map(cases.map(({ name, text }) => [name, text]))
}

/** Snapshots and other data that tests read; helpers written in a language are no cases. */
function isData(path: string): boolean {
  if (path.endsWith('.snap')) return true
  const role = pathRole(path.split('/').at(-1)!, [])
  return role === 'other'
}
