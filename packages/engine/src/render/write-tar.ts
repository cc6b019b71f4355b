import { encodeUtf8, type FileMode, pathToBytes } from '@r2e/spec'

/** 2000-01-01T00:00:00Z: after 1980, which zip files need, and never a clock. */
const FIXED_TIME = 946_684_800

export interface TarEntry {
  readonly path: string
  readonly mode: FileMode | 'folder'
  readonly content: Uint8Array
}

const BLOCK = 512

/**
 * A GNU tar archive of byte paths: owner root, one fixed time, entries as given. Names and link targets of any length
 * and any bytes but NUL.
 */
export function writeTar(entries: readonly TarEntry[]): Uint8Array {
  const blocks: Uint8Array[] = []
  for (const entry of entries) pushEntry(blocks, entry)
  blocks.push(new Uint8Array(2 * BLOCK))
  return Buffer.concat(blocks)
}

function pushEntry(blocks: Uint8Array[], entry: TarEntry): void {
  const name = pathToBytes(entry.mode === 'folder' ? `${entry.path}/` : entry.path)
  const link = entry.mode === '120000' ? entry.content : new Uint8Array()
  const body = entry.mode === '120000' ? new Uint8Array() : entry.content
  if (name.length > 100) pushLong(blocks, 'L', name)
  if (link.length > 100) pushLong(blocks, 'K', link)
  blocks.push(header({ name, link, size: body.length, ...kindOf(entry.mode) }), body, padding(body.length))
}

function kindOf(mode: TarEntry['mode']): { type: string; permissions: number } {
  if (mode === 'folder') return { type: '5', permissions: 0o755 }
  if (mode === '120000') return { type: '2', permissions: 0o777 }
  return { type: '0', permissions: mode === '100755' ? 0o755 : 0o644 }
}

function pushLong(blocks: Uint8Array[], type: 'L' | 'K', value: Uint8Array): void {
  const body = Buffer.concat([value, new Uint8Array(1)])
  const name = encodeUtf8('././@LongLink')
  blocks.push(header({ name, link: new Uint8Array(), size: body.length, type, permissions: 0o644 }), body)
  blocks.push(padding(body.length))
}

interface Header {
  readonly name: Uint8Array
  readonly link: Uint8Array
  readonly size: number
  readonly type: string
  readonly permissions: number
}

function header(fields: Header): Uint8Array {
  const block = Buffer.alloc(BLOCK)
  block.set(fields.name.subarray(0, 100), 0)
  block.write(octal(fields.permissions, 7), 100)
  block.write(octal(0, 7), 108)
  block.write(octal(0, 7), 116)
  block.write(octal(fields.size, 11), 124)
  block.write(octal(FIXED_TIME, 11), 136)
  block.fill(' ', 148, 156)
  block.write(fields.type, 156)
  block.set(fields.link.subarray(0, 100), 157)
  block.write('ustar  ', 257)
  block.write('root', 265)
  block.write('root', 297)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${octal(sum, 6)}\0 `, 148)
  return block
}

function octal(value: number, width: number): string {
  return value.toString(8).padStart(width, '0')
}

function padding(size: number): Uint8Array {
  return new Uint8Array((BLOCK - (size % BLOCK)) % BLOCK)
}
