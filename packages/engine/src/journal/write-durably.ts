import { chmod, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ownedName } from './owned-name.ts'

/** How names of files begin that are about to become others. */
export const TEMPORARY_FILE = '.tmp-'

/**
 * Temporary name, sync, rename: a reader sees the old bytes or the new. The temporary file lies in `folder`, on the same
 * disk, by default beside the file.
 */
export async function writeDurably(
  path: string,
  content: Uint8Array | string,
  folder: string = dirname(path),
): Promise<void> {
  await mkdir(folder, { recursive: true })
  await mkdir(dirname(path), { recursive: true })
  const temporary = join(folder, await ownedName(TEMPORARY_FILE))
  try {
    await writeSynced(temporary, content, 0o644)
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** Makes a file that is on disk when this returns, of this mode whatever the umask. */
export async function writeSynced(path: string | Buffer, content: Uint8Array | string, mode: number): Promise<void> {
  const file = await open(path, 'wx')
  try {
    await file.writeFile(content)
    await file.datasync()
  } finally {
    await file.close()
  }
  await chmod(path, mode)
}
