import { readdir, readFile } from 'node:fs/promises'
import { type Digest, decodeUtf8, digestOf, type FileEntry, type ReportFormat } from '@r2e/spec'

const folder = new URL('../files/', import.meta.url)
const formats = 'formats/'
const inline = 'inline/'
const reporters = 'reporters/'

/** Everything that may stand in a task's `tests/` folder of ours, sorted by path. Plans, lists and the grader's copies of the project's files are the task's own. */
export async function graderFiles(): Promise<readonly FileEntry[]> {
  const names = (await readdir(folder, { recursive: true }))
    .filter((name) => /\.(?:sh|[cm]?js|py|rb|php)$/.test(name))
    .sort()
  return Promise.all(
    names.map(async (name): Promise<FileEntry> => {
      const mode = name.endsWith('.sh') ? '100755' : '100644'
      return { path: name, mode, content: await readFile(new URL(name, folder)) }
    }),
  )
}

/** What a task runs its tests by. */
export interface GraderNeeds {
  readonly format: ReportFormat
  /** Names below reporters/. */
  readonly reporters: readonly string[]
  /** Formats that the reporters read. */
  readonly parses?: readonly ReportFormat[] | undefined
  /** The language whose tests stand inside source files, if they do. */
  readonly inline?: string | undefined
}

/** Of {@link graderFiles} those that one task needs: the entry, and where it runs tests its parser, its reporters and what finds tests inside sources. */
export function graderFilesFor(all: readonly FileEntry[], needs: GraderNeeds | undefined): readonly FileEntry[] {
  const parsers = new Set(
    [needs?.format ?? [], needs?.parses ?? []].flat().flatMap((format) => withImports(all, formatFile(format))),
  )
  return all.filter(({ path }) => {
    if (path.startsWith(reporters)) return needs?.reporters.includes(path.slice(reporters.length)) ?? false
    if (path.startsWith(inline)) return path === `${inline}${needs?.inline}.py`
    return !path.startsWith(formats) || parsers.has(path)
  })
}

/** A parser and the files of formats/ that it imports. */
function withImports(all: readonly FileEntry[], parser: string): string[] {
  const found = [parser]
  for (const path of found) {
    const file = all.find((entry) => entry.path === path)
    for (const [, module] of decodeUtf8(file?.content ?? new Uint8Array()).matchAll(/^from formats\.(\w+) import/gm))
      if (!found.includes(`${formats}${module}.py`)) found.push(`${formats}${module}.py`)
  }
  return found
}

function formatFile(format: ReportFormat): string {
  return `${formats}${format.replaceAll('-', '_')}.py`
}

/** Identity of the grader: changes with any byte of its files. */
export async function graderVersion(): Promise<Digest> {
  const files = await graderFiles()
  return digestOf(files.map(({ path, content }) => `${path}\0${digestOf(content)}\n`).join(''))
}
