import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ownedName, sweepOwned } from '../journal/owned-name.ts'

const PREFIX = 'r2e-scratch-'

/** A new temporary folder; those that killed processes left behind go first. */
export async function makeScratchFolder(): Promise<string> {
  await sweepOwned(tmpdir(), PREFIX, false)
  const folder = join(tmpdir(), await ownedName(PREFIX))
  await mkdir(folder, { mode: 0o700 })
  return folder
}
