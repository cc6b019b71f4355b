import { lstat, readdir, readlink } from 'node:fs/promises'
import { type FileEntry, pathFromBytes, R2eError } from '@r2e/spec'
import { sortByPath } from '../render/path-order.ts'
import { readRegularFile } from './read-regular-file.ts'

/**
 * The files of a task directory, sorted by path; links are read, never followed.
 * @throws R2eError `special_file` (fault user) for a device, pipe or socket, `file_too_large` (fault user)
 */
export async function readTask(directory: string): Promise<readonly FileEntry[]> {
  return sortByPath(await readFolder(Buffer.from(directory), ''))
}

async function readFolder(folder: Buffer, prefix: string): Promise<FileEntry[]> {
  const files: FileEntry[] = []
  for (const name of await readdir(folder, { encoding: 'buffer' })) {
    const place = Buffer.concat([folder, Buffer.from('/'), name])
    const path = prefix + pathFromBytes(name)
    const stat = await lstat(place)
    if (stat.isDirectory()) files.push(...(await readFolder(place, `${path}/`)))
    else if (stat.isSymbolicLink())
      files.push({ path, mode: '120000', content: await readlink(place, { encoding: 'buffer' }) })
    else if (stat.isFile())
      files.push({ path, mode: stat.mode & 0o100 ? '100755' : '100644', content: await readRegularFile(place) })
    else throw new R2eError('special_file', 'user', `${place} is neither a file nor a folder`)
  }
  return files
}
