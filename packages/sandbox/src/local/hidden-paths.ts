import type { Stats } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isWithin, type RootPart } from './root.ts'

/** Where secrets of a host lie, and how deep to look. Programs (`/usr`) are public. */
const PLACES = new Map([
  ['/etc', 6],
  ['/opt', 2],
  ['/var', 4],
])
/** Package managers keep their own working folders closed; they hold no secret and must stay. */
const KEPT = new Set(['/var/lib/apt', '/var/lib/dpkg', '/var/cache/apt', '/var/lib/rpm', '/etc/shadow', '/etc/gshadow'])

/** What an ordinary user of the host may not read: host keys, private certificates, databases, service accounts. */
export async function hiddenPaths(parts: readonly RootPart[], except: readonly string[]): Promise<string[]> {
  const hidden: string[] = []
  for (const { path, lower } of parts) {
    const depth = PLACES.get(`/${path.split('/')[1]}`)
    if (lower && depth) await walk(path, depth, hidden)
  }
  return hidden.filter((path) => !except.some((folder) => isWithin(path, folder))).sort()
}

async function walk(folder: string, depth: number, hidden: string[]): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    if (KEPT.has(path)) continue
    const info = await lstat(path).catch(() => undefined)
    if (!info) continue
    if (isClosed(info)) hidden.push(path)
    else if (info.isDirectory() && depth > 1) await walk(path, depth - 1, hidden)
  }
}

function isClosed(info: Stats): boolean {
  if (info.isDirectory()) return (info.mode & 0o005) !== 0o005
  return info.isFile() && (info.mode & 0o004) === 0
}
