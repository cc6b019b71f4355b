import { encodeUtf8, type FileMode, type ObjectId, pathToBytes } from '@r2e/spec'

/** One side of a whole-file patch. */
export interface WholeFile {
  readonly path: string
  readonly mode: FileMode
  readonly blob: ObjectId
  readonly content: Uint8Array
}

/**
 * The section that adds or removes a whole file, as git writes it with `--text --full-index`: content is carried as
 * bytes, also where it holds NUL, and a missing final newline is marked.
 */
export function wholeFilePatch(kind: 'added' | 'deleted', file: WholeFile): Uint8Array {
  const added = kind === 'added'
  const none = '0'.repeat(file.blob.length)
  const count = countContentLines(file.content)
  const header: (string | Uint8Array)[] = ['diff --git ', quoted('a/', file.path), ' ', quoted('b/', file.path), '\n']
  header.push(`${added ? 'new' : 'deleted'} file mode ${file.mode}\n`)
  header.push(`index ${added ? `${none}..${file.blob}` : `${file.blob}..${none}`}\n`)
  if (count === 0) return concatenate(header)
  const name = quoted(added ? 'b/' : 'a/', file.path)
  // git ends an unquoted name that holds a blank with a tab, or the blank would end the name.
  const end = file.path.includes(' ') && name[0] !== 0x22 ? '\t\n' : '\n'
  header.push('--- ', added ? '/dev/null' : name, added ? '\n' : end, '+++ ', added ? name : '/dev/null')
  header.push(added ? end : '\n', added ? `@@ -0,0 +1${span(count)} @@\n` : `@@ -1${span(count)} +0,0 @@\n`)
  return concatenate([...header, prefixed(added ? 0x2b : 0x2d, file.content)])
}

export function countContentLines(content: Uint8Array): number {
  let lines = 0
  for (const byte of content) if (byte === 0x0a) lines++
  return content.length > 0 && content.at(-1) !== 0x0a ? lines + 1 : lines
}

function span(count: number): string {
  return count === 1 ? '' : `,${count}`
}

function prefixed(mark: number, content: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = []
  for (let start = 0; start < content.length; ) {
    const end = content.indexOf(0x0a, start)
    const line = content.subarray(start, end < 0 ? content.length : end + 1)
    parts.push(Uint8Array.of(mark), line)
    if (end < 0) parts.push(encodeUtf8('\n\\ No newline at end of file\n'))
    start += line.length
  }
  return concatenate(parts)
}

const ESCAPES: Readonly<Record<number, string>> = {
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
  34: '\\"',
  92: '\\\\',
}

/** A name as git prints it: plain, or in double quotes with C escapes where a byte needs one. */
export function quoted(prefix: string, path: string): Uint8Array {
  const bytes = pathToBytes(path)
  const plain = (byte: number) => byte > 0x1f && byte < 0x7f && byte !== 0x22 && byte !== 0x5c
  if (bytes.every(plain)) return encodeUtf8(prefix + path)
  let text = `"${prefix}`
  for (const byte of bytes)
    text += plain(byte) ? String.fromCharCode(byte) : (ESCAPES[byte] ?? `\\${byte.toString(8).padStart(3, '0')}`)
  return encodeUtf8(`${text}"`)
}

export function concatenate(parts: readonly (string | Uint8Array)[]): Uint8Array {
  const chunks = parts.map((part) => (typeof part === 'string' ? encodeUtf8(part) : part))
  const joined = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    joined.set(chunk, at)
    at += chunk.length
  }
  return joined
}
