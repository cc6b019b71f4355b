import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

export interface Measured {
  /** Of regular files and links, as they say themselves. */
  readonly bytes: number
  /** The newest change at the top of it, in milliseconds since 1970. */
  readonly changedAt: number
}

/** The size of a file, or of a folder with all below it; what goes away meanwhile, or may not be read, counts nothing. */
export async function measure(path: string): Promise<Measured> {
  const status = await lstat(path).catch(() => undefined)
  if (!status) return { bytes: 0, changedAt: 0 }
  if (!status.isDirectory()) return { bytes: status.size, changedAt: status.mtimeMs }
  let bytes = 0
  let changedAt = status.mtimeMs
  for (const entry of await readdir(path, { withFileTypes: true }).catch(() => [])) {
    const inner = join(path, entry.name)
    if (entry.isDirectory()) {
      const below = await measure(inner)
      bytes += below.bytes
      changedAt = Math.max(changedAt, below.changedAt)
    } else {
      const file = await lstat(inner).catch(() => undefined)
      bytes += file?.size ?? 0
      changedAt = Math.max(changedAt, file?.mtimeMs ?? 0)
    }
  }
  return { bytes, changedAt }
}
