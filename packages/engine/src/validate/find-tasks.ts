import { readdir, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { TEMPORARY } from '../dataset/replace-folder.ts'

export interface FoundTask {
  readonly directory: string
  /** Relative to the path that was asked for; `.` for the path itself. */
  readonly name: string
}

/** Every directory with a `task.toml` at or below a path, sorted; links are not followed, tasks not searched. */
export async function findTasks(path: string): Promise<readonly FoundTask[]> {
  const start = resolve(path)
  const found = await stat(start).catch(() => undefined)
  if (!found) return []
  const root = found.isDirectory() ? start : dirname(start)
  const directories = found.isDirectory() ? await search(root) : start.endsWith('/task.toml') ? [root] : []
  return directories.map((directory) => ({ directory, name: relative(root, directory) || '.' }))
}

async function search(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true })
  if (entries.some((entry) => entry.name === 'task.toml')) return [directory]
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== TEMPORARY && entry.name !== '.git')
  const found: string[] = []
  for (const folder of folders.sort((a, b) => (a.name < b.name ? -1 : 1)))
    found.push(...(await search(join(directory, folder.name))))
  return found
}
