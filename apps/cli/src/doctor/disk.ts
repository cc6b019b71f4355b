import { access, constants, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Check } from './check.ts'

const leastBytes = 5e9

/** Free space and the right to write where state will lie; the folder itself need not exist yet. */
export async function diskCheck(folder: string): Promise<Check> {
  const standing = await nearestFolder(folder)
  const writable = await access(standing, constants.W_OK).then(
    () => true,
    () => false,
  )
  const { bavail, bsize } = await statfs(standing)
  const free = bavail * bsize
  const detail = `${(free / 1e9).toFixed(1)} GB free at ${standing}${writable ? '' : ', which cannot be written'}`
  const ok = writable && free >= leastBytes
  const fix = writable ? 'make room, or --state-dir on another disk' : 'choose another --state-dir'
  return { name: 'disk', ok, needed: true, detail, warnings: [], ...(ok ? {} : { fix }) }
}

/** The folder itself or its nearest parent that exists. */
export async function nearestFolder(folder: string): Promise<string> {
  for (let at = folder; ; at = dirname(at)) {
    const found = await access(at).then(
      () => true,
      () => false,
    )
    if (found || at === dirname(at)) return at
  }
}
