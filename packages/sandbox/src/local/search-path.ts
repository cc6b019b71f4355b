import { stat } from 'node:fs/promises'

/** The folders programs are looked for in; those of common toolchains are left out where they do not exist. */
export const DEFAULT_PATH: readonly string[] = [
  '/go/bin',
  '/usr/local/go/bin',
  '/usr/local/cargo/bin',
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/sbin',
  '/usr/bin',
  '/sbin',
  '/bin',
]

const OPTIONAL = new Set(['/go/bin', '/usr/local/go/bin', '/usr/local/cargo/bin'])

export async function existing(folders: readonly string[], place: (folder: string) => string): Promise<string[]> {
  const kept: string[] = []
  for (const folder of folders) if (!OPTIONAL.has(folder) || (await isFolder(place(folder)))) kept.push(folder)
  return kept
}

export async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found?.isDirectory() ?? false
}
