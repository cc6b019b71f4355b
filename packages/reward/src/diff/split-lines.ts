/**
 * Lines as the reference formula sees them: every boundary of Python's `str.splitlines`, that is LF, CRLF, CR, VT, FF,
 * U+001C to U+001E, U+0085, U+2028, U+2029. A final terminator makes no extra line.
 */
export function splitLines(text: string): string[] {
  const lines = text.split(/\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** White space that Python trims: unlike JavaScript's it holds U+001C to U+001F and U+0085 and lacks U+FEFF. */
const SPACE = new Set(
  '\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000',
)

export function trimSpace(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && SPACE.has(text[start]!)) start++
  while (end > start && SPACE.has(text[end - 1]!)) end--
  return text.slice(start, end)
}
