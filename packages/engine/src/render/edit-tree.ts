import type { Edit } from '@r2e/spec'

/**
 * Applies edits to a tree held as path → value. A written file takes the place of whatever stands in its way, as in a
 * file system where a folder became a file or a file a folder.
 */
export function editTree<T>(tree: Map<string, T>, edits: readonly Edit[], value: (edit: WriteEdit) => T): void {
  for (const edit of edits) {
    if (edit.kind === 'delete') {
      tree.delete(edit.path)
      continue
    }
    for (const parent of parentsOf(edit.path)) tree.delete(parent)
    if (!tree.has(edit.path)) for (const path of below(tree, edit.path)) tree.delete(path)
    tree.set(edit.path, value(edit))
  }
}

export type WriteEdit = Extract<Edit, { kind: 'write' }>

/** `a/b/c` → `a`, `a/b`. */
export function parentsOf(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('/'))
}

function below(tree: ReadonlyMap<string, unknown>, folder: string): string[] {
  return [...tree.keys()].filter((path) => path.startsWith(`${folder}/`))
}
