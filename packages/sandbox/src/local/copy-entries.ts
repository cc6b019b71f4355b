import { posix } from 'node:path'
import type { FileEntry } from '@r2e/spec'
import { foldersOf, type TarEntry, tarEntries } from '../tar.ts'
import { folderEntry } from './files.ts'

export interface CopyRequest {
  readonly sources: readonly string[]
  /** Absolute; ends with `/` where it is a folder. */
  readonly target: string
}

/** What a COPY puts where, as paths from `/`; or which source the context lacks. */
export function copyEntries(
  context: readonly FileEntry[],
  { sources, target }: CopyRequest,
): { readonly entries: readonly TarEntry[] } | { readonly missing: string } {
  const files: FileEntry[] = []
  const into = target.replace(/^\/+/, '').replace(/\/+$/, '')
  const within = (path: string): string => (into ? `${into}/${path}` : path)
  for (const source of sources) {
    const name = posix.resolve('/', source).slice(1)
    const file = context.find((entry) => entry.path === name)
    const below = name === '' ? context : context.filter((entry) => entry.path.startsWith(`${name}/`))
    if (file) files.push({ ...file, path: target.endsWith('/') ? within(posix.basename(name)) : into })
    else if (below.length > 0)
      files.push(...below.map((entry) => ({ ...entry, path: within(entry.path.slice(name ? name.length + 1 : 0)) })))
    else return { missing: source }
  }
  return { entries: [...foldersOf(into).map(folderEntry), ...tarEntries(files)] }
}
