/** One `diff --git` section: bytes `start` up to, not including, `end`. */
export interface PatchSection {
  readonly start: number
  readonly end: number
  readonly binary: boolean
  readonly addedLines: number
  readonly deletedLines: number
}

const NEWLINE = 0x0a
const PLUS = 0x2b
const MINUS = 0x2d
const AT = 0x40
const SECTION = Buffer.from('diff --git ')
const BINARY = Buffer.from('GIT binary patch\n')

/**
 * One pass over a patch, line by line. Lines of a hunk begin with a blank, `+`, `-` or `\`, and lines of a binary patch
 * hold no blank, so no content of a file can pass for a header.
 */
export function parseSections(bytes: Buffer, from: number): PatchSection[] {
  const sections: PatchSection[] = []
  let open = { start: from, binary: false, addedLines: 0, deletedLines: 0 }
  let inHunks = false
  for (let at = from; at < bytes.length; at = lineEnd(bytes, at)) {
    const first = bytes[at]
    if (inHunks && first === PLUS) open.addedLines += 1
    else if (inHunks && first === MINUS) open.deletedLines += 1
    else if (first === AT) inHunks = true
    else if (first === SECTION[0] && startsWith(bytes, at, SECTION)) {
      if (at > from) sections.push({ ...open, end: at })
      open = { start: at, binary: false, addedLines: 0, deletedLines: 0 }
      inHunks = false
    } else if (first === BINARY[0] && !inHunks && startsWith(bytes, at, BINARY)) open.binary = true
  }
  if (from < bytes.length) sections.push({ ...open, end: bytes.length })
  return sections
}

function lineEnd(bytes: Buffer, at: number): number {
  const end = bytes.indexOf(NEWLINE, at)
  return end === -1 ? bytes.length : end + 1
}

function startsWith(bytes: Buffer, at: number, prefix: Buffer): boolean {
  return bytes.compare(prefix, 0, prefix.length, at, at + prefix.length) === 0
}
