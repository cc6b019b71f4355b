import { mkdir, rmdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { userError } from '@r2e/spec'

/**
 * Makes an absolute folder and what is missing above it, one by one: the recursive `mkdir` of Node never returns where
 * a file system takes no folders, such as /proc. Answers those that it made, the innermost first.
 * @throws R2eError `not_permitted` (fault user)
 */
export async function makeFolder(path: string): Promise<readonly string[]> {
  if (await isFolder(path)) return []
  const above = dirname(path) === path ? [] : await makeFolder(dirname(path))
  try {
    await mkdir(path)
  } catch (cause) {
    if (await isFolder(path)) return above
    await removeEmpty(above)
    throw userError('not_permitted', `${path} cannot be made: ${(cause as NodeJS.ErrnoException).code}`, {
      fix: 'choose another folder',
      cause,
    })
  }
  return [path, ...above]
}

/** Removes folders, given the innermost first, as far as they are empty. */
export async function removeEmpty(folders: readonly string[]): Promise<void> {
  for (const folder of folders) await rmdir(folder).catch(() => {})
}

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
