import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ObjectId } from '@r2e/spec'
import { runGitBytes } from '../repository/run-git.ts'

/** Id of the tree that git makes of `commit`'s tree (undefined: the empty tree) and a patch. Needs no work tree. */
export async function treeAfter(
  directory: string,
  commit: ObjectId | undefined,
  patches: readonly Uint8Array[],
): Promise<ObjectId> {
  const index = join(tmpdir(), `r2e-index-${randomUUID()}`)
  const where = { directory, environment: { GIT_INDEX_FILE: index } }
  try {
    await runGitBytes(where, 'read-tree', commit ?? '--empty')
    const patch = Buffer.concat(patches)
    if (patch.length > 0)
      await runGitBytes({ ...where, input: patch }, 'apply', '--cached', '--binary', '--whitespace=nowarn', '-')
    return (await runGitBytes(where, 'write-tree')).toString().trim()
  } finally {
    await rm(index, { force: true })
  }
}
