import { type FileEntry, pathToBytes, R2eError } from '@r2e/spec'

/** One member of an archive. `path` is relative with `/`, in the lossless form of `pathFromBytes`; owner is root. */
export interface TarEntry {
  readonly path: string
  readonly kind: 'file' | 'folder' | 'link'
  /** Permission bits. */
  readonly mode: number
  /** Content of a file, target of a link, empty for a folder. */
  readonly content: Uint8Array
}

/** 2000-01-01: archives are deterministic, and zip (so wheels) knows no time before 1980. */
const FIXED_TIME = 946_684_800
const BLOCK = 512
const NAME_LIMIT = 100

/** The entries of `files` in byte order of their paths, each folder before what it holds. */
export function tarEntries(files: readonly FileEntry[]): TarEntry[] {
  const entries = new Map<string, TarEntry>()
  for (const file of files) {
    checkPath(file.path)
    for (const path of foldersOf(file.path)) entries.set(path, { path, kind: 'folder', mode: 0o755, content: EMPTY })
  }
  for (const file of files) entries.set(file.path, entryOf(file))
  return [...entries.values()].sort((a, b) => Buffer.compare(pathToBytes(a.path), pathToBytes(b.path)))
}

/** Writes a GNU tar archive piece by piece: equal entries and time give equal bytes. `time` is in seconds. */
export function* packTar(entries: readonly TarEntry[], time: number = FIXED_TIME): Generator<Uint8Array, void> {
  for (const entry of entries) {
    const name = Buffer.concat([pathToBytes(entry.path), Buffer.from(entry.kind === 'folder' ? '/' : '')])
    const target = entry.kind === 'link' ? Buffer.from(entry.content) : EMPTY
    if (name.length > NAME_LIMIT) yield* longName('L', name)
    if (target.length > NAME_LIMIT) yield* longName('K', target)
    const size = entry.kind === 'file' ? entry.content.length : 0
    const type = entry.kind === 'file' ? '0' : entry.kind === 'link' ? '2' : '5'
    yield header({ name, target, mode: entry.mode, size, type, time })
    if (size > 0) yield* padded(entry.content)
  }
  yield Buffer.alloc(2 * BLOCK)
}

/** The folders above a path, outermost first. */
export function foldersOf(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('/'))
}

const EMPTY = Buffer.alloc(0)

function entryOf(file: FileEntry): TarEntry {
  const { path, content } = file
  if (file.mode === '120000') return { path, kind: 'link', mode: 0o777, content }
  return { path, kind: 'file', mode: file.mode === '100755' ? 0o755 : 0o644, content }
}

function checkPath(path: string): void {
  const bad = path.includes('\0') || path.split('/').some((part) => part === '' || part === '.' || part === '..')
  if (bad) throw new R2eError('bad_path', 'bug', `not a plain relative path: ${JSON.stringify(path)}`)
}

function* longName(type: string, value: Buffer): Generator<Uint8Array, void> {
  const content = Buffer.concat([value, Buffer.alloc(1)])
  yield header({ name: Buffer.from('././@LongLink'), target: EMPTY, mode: 0, size: content.length, type, time: 0 })
  yield* padded(content)
}

function* padded(content: Uint8Array): Generator<Uint8Array, void> {
  yield content
  const rest = content.length % BLOCK
  if (rest > 0) yield Buffer.alloc(BLOCK - rest)
}

interface Header {
  readonly name: Buffer
  readonly target: Buffer
  readonly mode: number
  readonly size: number
  readonly type: string
  readonly time: number
}

/** The layout is the one of GNU tar ("ustar", two blanks, zero byte): its names are bytes, not text. */
function header({ name, target, mode, size, type, time }: Header): Buffer {
  const block = Buffer.alloc(BLOCK)
  name.copy(block, 0, 0, NAME_LIMIT)
  writeOctal(block, { at: 100, width: 8, value: mode })
  writeOctal(block, { at: 108, width: 8, value: 0 })
  writeOctal(block, { at: 116, width: 8, value: 0 })
  writeOctal(block, { at: 124, width: 12, value: size })
  writeOctal(block, { at: 136, width: 12, value: time })
  block.fill(' ', 148, 156)
  block.write(type, 156)
  target.copy(block, 157, 0, NAME_LIMIT)
  block.write('ustar  \0', 257, 'latin1')
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return block
}

function writeOctal(block: Buffer, field: { at: number; width: number; value: number }): void {
  const digits = Math.trunc(field.value)
    .toString(8)
    .padStart(field.width - 1, '0')
  if (digits.length >= field.width) throw new R2eError('file_too_large', 'bug', 'a file of 8 GiB or more')
  block.write(`${digits}\0`, field.at, 'latin1')
}
