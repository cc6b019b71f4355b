import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type FileEntry, pathToBytes, R2eError } from '@r2e/spec'
import { writeDurably, writeSynced } from '../journal/write-durably.ts'
import { isSafePath } from '../render/path-order.ts'

/** Below a dataset: whatever is half-written or half-removed. One folder, so that no reader takes it for a task. */
export const TEMPORARY = '.r2e-tmp'

/** A fresh name for something that is about to become, or was, `name`. */
function temporaryPath(directory: string, name: string): string {
  return join(directory, TEMPORARY, `${name}-${randomBytes(6).toString('hex')}`)
}

/** In the temporary folder: held by the one process that writes the dataset. */
export const LOCK = 'lock'

/** Removes what a killed run left. */
export async function sweepTemporary(directory: string): Promise<void> {
  const folder = join(directory, TEMPORARY)
  const names = (await readdir(folder)).filter((name) => name !== LOCK)
  for (const name of names) await rm(join(folder, name), { recursive: true, force: true })
}

/** Replaces one file of the dataset: a reader sees the old bytes or the new. */
export async function replaceFile(directory: string, path: string, text: string): Promise<void> {
  await writeDurably(join(directory, path), text, join(directory, TEMPORARY))
}

/** Puts a folder in the place of another one, or of none: never a half-written folder under its name. */
export async function replaceFolder(directory: string, name: string, files: readonly FileEntry[]): Promise<void> {
  const [made, old] = [temporaryPath(directory, name), temporaryPath(directory, name)]
  await writeFolder(made, files)
  await rename(join(directory, name), old).catch(ignoreAbsent)
  await rename(made, join(directory, name))
  await syncFolder(directory)
  await rm(old, { recursive: true, force: true })
}

export async function removeFolder(directory: string, name: string): Promise<void> {
  const old = temporaryPath(directory, name)
  await mkdir(dirname(old), { recursive: true })
  await rename(join(directory, name), old).catch(ignoreAbsent)
  await rm(old, { recursive: true, force: true })
}

async function writeFolder(folder: string, files: readonly FileEntry[]): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const file of files)
    if (!isSafePath(file.path) || file.mode === '120000')
      throw new R2eError('unsafe_path', 'bug', `a task cannot hold ${JSON.stringify(file.path)} (mode ${file.mode})`)
  const folders = new Set(files.map((file) => dirname(file.path)))
  for (const inner of folders) await mkdir(placeOf(folder, inner), { recursive: true })
  for (let start = 0; start < files.length; start += 16)
    await Promise.all(
      files
        .slice(start, start + 16)
        .map((file) => writeSynced(placeOf(folder, file.path), file.content, file.mode === '100755' ? 0o755 : 0o644)),
    )
}

function placeOf(folder: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), pathToBytes(path)])
}

async function syncFolder(directory: string): Promise<void> {
  const folder = await open(directory, 'r')
  await folder.sync().catch(() => {}) // some file systems cannot
  await folder.close()
}

function ignoreAbsent(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
