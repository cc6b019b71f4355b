import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

/** The file that `import` of a package would load, looked for from `folder` upwards; `.` is the folder itself. */
export async function packageEntry(name: string, folder: string): Promise<string | undefined> {
  if (name === '.') return entryOf(folder)
  for (let at = folder; ; at = dirname(at)) {
    const entry = await entryOf(join(at, 'node_modules', name))
    if (entry) return entry
    if (at === dirname(at)) return undefined
  }
}

async function entryOf(folder: string): Promise<string | undefined> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const manifest = JSON.parse(text) as { exports?: unknown; main?: string }
  return resolve(folder, mainExport(manifest.exports) ?? manifest.main ?? 'index.js')
}

function mainExport(exports: unknown): string | undefined {
  if (typeof exports === 'string') return exports
  if (Array.isArray(exports)) return exports.map(mainExport).find((found) => found !== undefined)
  if (typeof exports !== 'object' || exports === null) return undefined
  for (const [key, value] of Object.entries(exports)) {
    if (!['.', 'import', 'node', 'default', 'module-sync'].includes(key)) continue
    const found = mainExport(value)
    if (found !== undefined) return found
  }
  return undefined
}
