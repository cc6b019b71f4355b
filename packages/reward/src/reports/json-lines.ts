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
    const value: unknown = JSON.parse(line)
    return value as Readonly<Record<string, unknown>>
  } catch {
    return undefined
  }
}
