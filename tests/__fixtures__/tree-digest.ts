import { createHash } from 'node:crypto'
import { lstat, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { entriesBelow } from './entries-below.ts'

/** Path → kind, mode and digest of every file below a folder; what was measured (`evidence/`) is left out. */
export async function treeDigest(directory: string): Promise<Record<string, string>> {
  const names = (await entriesBelow(directory)).filter((name) => !/^evidence(\/|$)/.test(name)).sort()
  const rows = await Promise.all(names.map(async (name) => [name, await describe(join(directory, name))] as const))
  return Object.fromEntries(rows)
}

/** The same without the marker, which tells the configurations that wrote the tasks, their folder included. */
export async function contentDigest(directory: string): Promise<Record<string, string>> {
  const { '.r2e-dataset.json': _marker, ...rest } = await treeDigest(directory)
  return rest
}

async function describe(path: string): Promise<string> {
  const found = await lstat(path)
  const mode = (found.mode & 0o777).toString(8)
  if (found.isDirectory()) return 'folder'
  if (found.isSymbolicLink()) return `link ${await readlink(path)}`
  return `${mode} ${createHash('sha256')
    .update(await readFile(path))
    .digest('hex')}`
}
