/** A JSON object per line; anything else is undefined. Blank lines are left out. */
export function* readJsonLines(text: string, wanted: (line: string) => boolean): Generator<JsonLine> {
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    const line = text.slice(start, end).trim()
    start = end + 1
    if (line !== '' && wanted(line)) yield { line, value: parseObject(line) }
  }
}

export interface JsonLine {
  readonly line: string
  readonly value: Readonly<Record<string, unknown>> | undefined
}

/** The object that a text is, or undefined. */
export function parseObject(line: string): Readonly<Record<string, unknown>> | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    const value = parseJson(line)
    return value as Readonly<Record<string, unknown>>
  } catch {
    return undefined
  }
}

/**
 * As `JSON.parse`, but an endless nesting is an error at once: for each open bracket the engine keeps tens of bytes.
 *
 * @throws SyntaxError
 */
export function parseJson(text: string): unknown {
  // most are lines, too short to be nested so deeply
  if (text.length > MAX_DEPTH && isNestedDeeper(text, MAX_DEPTH))
    throw new SyntaxError(`the JSON is nested deeper than ${MAX_DEPTH} levels`)
  return JSON.parse(text)
}

/** More than any value that a test compares. Of what lies near it CPython reads a little less or, since 3.12, much less. */
const MAX_DEPTH = 20_000

function isNestedDeeper(text: string, most: number): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x5b || code === 0x7b) {
      if (++depth > most) return true
    } else if (code === 0x5d || code === 0x7d) depth--
    else if (code === 0x22) at = endOfString(text, at)
  }
  return false
}

/** Where a string that begins here ends. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === 0x5c) escapes++
    if (escapes % 2 === 0) return end
  }
  return text.length
}
