import { R2eError } from '@r2e/spec'

/** What an archive of one thing holds: the bytes of a regular file, or undefined for anything else. */
export async function readSingleFile(
  stream: AsyncIterable<Uint8Array>,
  limit: number,
  name: string,
): Promise<Uint8Array | undefined> {
  const reader = createReader(stream)
  for (;;) {
    const header = await reader.take(512)
    const type = String.fromCharCode(header[156]!)
    const size = sizeOf(header)
    if ('xgLK'.includes(type)) {
      await reader.take(Math.ceil(size / 512) * 512)
      continue
    }
    if (type !== '0' && type !== '\0') return undefined
    if (size > limit)
      throw new R2eError('file_too_large', 'bug', `${name} holds ${size} bytes, more than ${limit}`, {
        details: { size, limit },
      })
    return await reader.take(size)
  }
}

interface Reader {
  take(count: number): Promise<Buffer>
}

function createReader(stream: AsyncIterable<Uint8Array>): Reader {
  const source = stream[Symbol.asyncIterator]()
  let rest = Buffer.alloc(0)
  return {
    async take(count) {
      const parts = [rest]
      let have = rest.length
      while (have < count) {
        const next = await source.next()
        if (next.done) throw new R2eError('archive_cut', 'transient', 'the archive ends early')
        parts.push(Buffer.from(next.value))
        have += next.value.length
      }
      const all = parts.length === 1 ? rest : Buffer.concat(parts)
      rest = all.subarray(count)
      return all.subarray(0, count)
    },
  }
}

/** Octal digits, or a big-endian number when the first bit is set (GNU). */
function sizeOf(header: Buffer): number {
  const field = header.subarray(124, 136)
  if ((field[0]! & 0x80) === 0) return Number.parseInt(field.toString('latin1').replaceAll('\0', ' ').trim() || '0', 8)
  return field.subarray(1).reduce((value, byte) => value * 256 + byte, 0)
}
