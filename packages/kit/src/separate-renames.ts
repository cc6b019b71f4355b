import type { FileChange, FileMode, FileRole, Tree } from '@r2e/spec'
import { countContentLines, wholeFilePatch } from './whole-file-patch.ts'

type Side = 'test' | 'ci' | 'rest'

/**
 * Splits each rename (or copy) that crosses between tests, CI files and the rest into a deletion and an addition, so
 * that a path belongs to one side only. The new halves carry no patch yet: see {@link fillPatches}.
 */
export function separateRenames(
  changes: readonly FileChange[],
  role: (path: string) => FileRole,
): readonly FileChange[] {
  const side = (path: string): Side => {
    const found = role(path)
    return found === 'test' || found === 'ci' ? found : 'rest'
  }
  return changes.flatMap((change) => {
    const crosses = change.path !== change.oldPath && side(change.path) !== side(change.oldPath)
    if (!crosses) return [change]
    return change.kind === 'copied' ? [addition(change)] : [deletion(change), addition(change)]
  })
}

function deletion(change: FileChange): FileChange {
  return {
    ...change,
    path: change.oldPath,
    kind: 'deleted',
    newMode: undefined,
    newBlob: undefined,
    patch: new Uint8Array(),
  }
}

function addition(change: FileChange): FileChange {
  return {
    ...change,
    oldPath: change.path,
    kind: 'added',
    oldMode: undefined,
    oldBlob: undefined,
    patch: new Uint8Array(),
  }
}

/** Writes the patches that {@link separateRenames} left open, from the trees of both sides. */
export async function fillPatches(
  changes: readonly FileChange[],
  before: Tree,
  after: Tree,
): Promise<readonly FileChange[]> {
  return Promise.all(
    changes.map(async (change) => {
      if (change.patch.length > 0 || (change.kind !== 'added' && change.kind !== 'deleted')) return change
      const added = change.kind === 'added'
      const content = (await (added ? after : before).read(change.path)) ?? new Uint8Array()
      const mode = (added ? change.newMode : change.oldMode) as FileMode
      const blob = (added ? change.newBlob : change.oldBlob)!
      const lines = countContentLines(content)
      return {
        ...change,
        addedLines: added ? lines : 0,
        deletedLines: added ? 0 : lines,
        patch: wholeFilePatch(change.kind, { path: change.path, mode, blob, content }),
      }
    }),
  )
}
