import { constants, open } from 'node:fs/promises'
import { userError } from '@r2e/spec'

/** No file of a dataset comes near it, and what is read has to fit into memory. */
const SIZE_LIMIT = 2 ** 29

/**
 * The content of a plain file. A dataset may be anybody's: a link is not followed, a pipe not waited for, a device not
 * read, and a huge file not loaded.
 * @throws R2eError `special_file`, `file_too_large` (fault user); else the system's own error
 */
export async function readRegularFile(path: string | Buffer): Promise<Buffer> {
  const file = await openPlain(path)
  try {
    const found = await file.stat()
    if (!found.isFile()) throw notPlain(path)
    if (found.size > SIZE_LIMIT)
      throw userError('file_too_large', `${path} holds ${found.size} bytes; at most ${SIZE_LIMIT} are read`)
    return await file.readFile()
  } finally {
    await file.close()
  }
}

async function openPlain(path: string | Buffer) {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    throw ['ELOOP', 'ENXIO'].includes((error as NodeJS.ErrnoException).code ?? '') ? notPlain(path) : error
  }
}

function notPlain(path: string | Buffer) {
  return userError('special_file', `${path} is not a plain file`)
}
