import { type HiddenEdit, type HiddenSource, type LanguagePack, tryDecodeUtf8 } from '@r2e/spec'

export interface TouchedInput {
  readonly pack: Pick<LanguagePack, 'role' | 'detect' | 'testCases'>
  /** Paths of the snapshot. */
  readonly standing: readonly string[]
  readonly hidden: readonly HiddenEdit[]
}

const MOST_NEIGHBOURS = 20

/**
 * Hidden test files and the test files beside them: what is run where the whole suite takes too long. Where they stand
 * alone in new folders, the nearest tests of the snapshot join them, so that the base has something to show. All exist
 * once the hidden files are in place: a runner that is given a file that is gone runs nothing.
 */
export function touchedFiles({ pack, standing, hidden }: TouchedInput): string[] {
  const touched = testFiles(pack, hiddenSources(hidden))
  const gone = new Set(hidden.flatMap((edit) => (edit.kind === 'delete' ? [edit.path] : [])))
  const tests = standing.filter((path) => !gone.has(path) && pack.role(path) === 'test' && pack.detect([path]) > 0)
  const folders = new Set(touched.map(folderOf))
  const beside = tests.filter((path) => folders.has(folderOf(path)))
  const neighbours = beside.length > 0 ? beside : nearestFirst(tests, touched)
  return [...new Set([...touched, ...neighbours.slice(0, MOST_NEIGHBOURS)])].sort()
}

/** Hidden files that hold test cases. */
export function testFiles(pack: Pick<LanguagePack, 'testCases'>, files: readonly HiddenSource[]): string[] {
  return files.filter(({ path, text }) => pack.testCases(path, text).length > 0).map(({ path }) => path)
}

export function hiddenSources(hidden: readonly HiddenEdit[]): HiddenSource[] {
  return hidden.flatMap((edit) => {
    const text = edit.kind === 'delete' ? undefined : tryDecodeUtf8(edit.content)
    return text === undefined ? [] : [{ path: edit.path, text }]
  })
}

/** Those first that share the most folders with one of the others. */
function nearestFirst(tests: readonly string[], others: readonly string[]): string[] {
  const closeness = (path: string) => Math.max(0, ...others.map((other) => sharedFolders(path, other)))
  return tests
    .map((path) => ({ path, shared: closeness(path) }))
    .sort((a, b) => b.shared - a.shared)
    .map(({ path }) => path)
}

function sharedFolders(a: string, b: string): number {
  const [left, right] = [folderOf(a).split('/'), folderOf(b).split('/')]
  const end = left.findIndex((part, at) => part !== right[at])
  return end < 0 ? left.length : end
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1)
