import { type FileEntry, pathFromBytes, R2eError } from '@r2e/spec'

const BLOCK = 512

/**
 * The files and links of an archive that `writeTar` made; folders are left out.
 * @throws R2eError `archive_malformed` (fault user) for anything else.
 */
export function readTar(archive: Uint8Array): FileEntry[] {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength)
  const files: FileEntry[] = []
  let long: { name?: Uint8Array; link?: Uint8Array } = {}
  for (let at = 0; at + BLOCK <= bytes.length; ) {
    const block = bytes.subarray(at, at + BLOCK)
    if (block.every((byte) => byte === 0)) return files
    const size = sizeOf(block, at)
    const body = bytes.subarray(at + BLOCK, at + BLOCK + size)
    if (body.length !== size) throw malformed(`it ends within the entry at byte ${at}`)
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
    const type = String.fromCharCode(block[156]!)
    if (type === 'L') long = { ...long, name: body.subarray(0, -1) }
    else if (type === 'K') long = { ...long, link: body.subarray(0, -1) }
    else {
      const path = pathFromBytes(long.name ?? textField(block, 0))
      if (type === '0') files.push({ path, mode: isExecutable(block) ? '100755' : '100644', content: body })
      else if (type === '2') files.push({ path, mode: '120000', content: long.link ?? textField(block, 157) })
      else if (type !== '5') throw malformed(`an entry at byte ${at} has type ${JSON.stringify(type)}`)
      long = {}
    }
  }
  throw malformed('its end is missing')
}

function sizeOf(block: Buffer, at: number): number {
  const text = block.toString('latin1', 124, 135)
  if (!/^[0-7]{11}$/.test(text)) throw malformed(`the entry at byte ${at} has no size`)
  return Number.parseInt(text, 8)
}

function isExecutable(block: Buffer): boolean {
  return (Number.parseInt(block.toString('latin1', 100, 107), 8) & 0o100) !== 0
}

function textField(block: Buffer, start: number): Uint8Array {
  const field = block.subarray(start, start + 100)
  const end = field.indexOf(0)
  return end < 0 ? field : field.subarray(0, end)
}

function malformed(what: string): R2eError {
  return new R2eError('archive_malformed', 'user', `the archive of the base tree is malformed: ${what}`)
}
