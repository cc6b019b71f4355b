import { type Edit, type FileChange, type FileMode, R2eError, type Tree } from '@r2e/spec'

/**
 * The hidden files of a task: each test file as the commit leaves it, whole; files that it removed or moved away are
 * deleted. Sorted by path.
 */
export async function hiddenEdits(tests: readonly FileChange[], after: Tree): Promise<readonly Edit[]> {
  const written = tests.filter((change) => change.kind !== 'deleted')
  const contents = await after.readAll(written.map((change) => change.path))
  const edits = new Map<string, Edit>()
  for (const change of tests)
    if (change.kind === 'deleted' || (change.kind === 'renamed' && change.oldPath !== change.path))
      edits.set(change.oldPath, { kind: 'delete', path: change.oldPath })
  for (const change of written) {
    const content = contents.get(change.path)
    if (content === undefined)
      throw new R2eError('object_missing', 'bug', `${change.path} is not in the tree of ${after.commit}`)
    edits.set(change.path, { kind: 'write', path: change.path, mode: change.newMode as FileMode, content })
  }
  return [...edits.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}
