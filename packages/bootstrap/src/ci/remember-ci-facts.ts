import type { Tree } from '@r2e/spec'
import { type FindCiFacts, openCiFacts } from './ci-facts.ts'
import { ciFileEntries, readCiFiles } from './ci-files.ts'

/** Trees of one history have few sets of CI files. */
const mostRemembered = 16

/** Reads the CI files of a tree; trees with equal ones share what was read. */
export function rememberCiFacts(): (tree: Tree) => Promise<FindCiFacts> {
  const known = new Map<string, Promise<FindCiFacts>>()
  return async (tree) => {
    const entries = await ciFileEntries(tree)
    const key = JSON.stringify(entries.map(({ path, blob }) => [path, blob]))
    const found = known.get(key) ?? readCiFiles(tree, entries).then(openCiFacts)
    known.delete(key)
    known.set(key, found)
    found.catch(() => known.delete(key))
    for (const oldest of [...known.keys()].slice(0, -mostRemembered)) known.delete(oldest)
    return found
  }
}
