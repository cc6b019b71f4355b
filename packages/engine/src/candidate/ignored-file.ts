import { decodeUtf8, type Edit, type Tree } from '@r2e/spec'
import { isIgnored, parseIgnoreRules } from '../render/ignore-rules.ts'

const IGNORE_FILE = /(?:^|\/)\.gitignore$/

/**
 * A new file that the ignore files of the changed tree leave out. The grader collects the agent's work with `git add`,
 * which would not see it: then not even the solution could score 1.
 */
export async function ignoredFile(tree: Tree, edits: readonly Edit[]): Promise<string | undefined> {
  const entries = await tree.entries()
  const standing = new Set(entries.map(({ path }) => path))
  const added = edits.filter((edit) => edit.kind === 'write' && !standing.has(edit.path))
  if (added.length === 0) return undefined
  // git follows no link to an ignore file
  const files = entries.filter(({ path, mode }) => IGNORE_FILE.test(path) && mode !== '120000').map(({ path }) => path)
  const contents = new Map(await tree.readAll(files))
  for (const edit of edits) {
    if (!IGNORE_FILE.test(edit.path)) continue
    if (edit.kind === 'write' && edit.mode !== '120000') contents.set(edit.path, edit.content)
    else contents.delete(edit.path)
  }
  const outermostFirst = [...contents].sort(([a], [b]) => a.split('/').length - b.split('/').length)
  const rules = outermostFirst.map(([path, text]) =>
    parseIgnoreRules(path.slice(0, -'.gitignore'.length), decodeUtf8(text)),
  )
  return added.find(({ path }) => isIgnored(path, rules))?.path
}
