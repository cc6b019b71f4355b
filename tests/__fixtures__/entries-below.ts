import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Paths of all that lies below a folder; empty when there is no such folder.
 *
 * Never goes through a symbolic link, as `readdir(…, { recursive: true })` does: a link into /proc has no end. Folders
 * for which `closed` holds are named and not opened.
 */
export async function entriesBelow(folder: string, closed: (path: string) => boolean = () => false): Promise<string[]> {
  const below = async (path: string): Promise<string[]> => {
    const entries = await readdir(join(folder, path), { withFileTypes: true }).catch(() => [])
    const found = entries.map(async (entry) => {
      const inner = path === '' ? entry.name : `${path}/${entry.name}`
      return entry.isDirectory() && !closed(inner) ? [inner, ...(await below(inner))] : [inner]
    })
    return (await Promise.all(found)).flat()
  }
  return below('')
}
