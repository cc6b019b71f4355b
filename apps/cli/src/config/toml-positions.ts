import { type KeyPath, type PositionOf, positionAt } from './position.ts'

/** Where keys stand in a TOML text that has already been parsed (the parser itself does not tell). */
export function tomlPositions(text: string): PositionOf {
  const found = new Map<string, number>()
  const keyOf = (path: KeyPath): string => JSON.stringify(path)
  const note = (path: KeyPath, at: number): void => {
    for (let length = 1; length <= path.length; length++) {
      const key = keyOf(path.slice(0, length))
      if (!found.has(key) || length === path.length) found.set(key, at)
    }
  }
  let table: readonly string[] = []
  let at = 0
  while (at < text.length) {
    at = skipBlank(text, at)
    const start = at
    if (text[at] === '[') {
      while (text[at] === '[') at++
      const header = readKey(text, at)
      table = header.path
      note(table, start)
      at = endOfLine(text, header.end)
    } else if (at < text.length) {
      const key = readKey(text, at)
      note([...table, ...key.path], start)
      at = skipValue(text, Math.max(key.end, start + 1))
    }
  }
  return (path) => {
    for (let length = path.length; length > 0; length--) {
      const offset = found.get(keyOf(path.slice(0, length)))
      if (offset !== undefined) return positionAt(text, offset)
    }
    return undefined
  }
}

function skipBlank(text: string, from: number): number {
  let at = from
  while (at < text.length) {
    if (text[at] === '#') at = endOfLine(text, at)
    else if (/\s/.test(text[at]!)) at++
    else break
  }
  return at
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end + 1
}

/** A dotted key; `end` is the offset after it. */
function readKey(text: string, from: number): { path: string[]; end: number } {
  const path: string[] = []
  const part = /[ \t]*(?:"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'|([A-Za-z0-9_-]+))[ \t]*(\.?)/y
  part.lastIndex = from
  let end = from
  for (let match = part.exec(text); match; match = part.exec(text)) {
    path.push(match[1] ?? match[2] ?? match[3] ?? '')
    end = part.lastIndex
    if (match[4] === '') break
  }
  return { path, end }
}

/** The offset after a value that may span lines: strings, arrays and inline tables are skipped whole. */
function skipValue(text: string, from: number): number {
  const token =
    /"""(?:[^\\]|\\[\s\S])*?"{3,5}|'''[\s\S]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|[[{]|[\]}]|\n|[^"'#[\]{}\n]+/y
  token.lastIndex = from
  let depth = 0
  for (let match = token.exec(text); match; match = token.exec(text)) {
    if (/^[[{]$/.test(match[0])) depth++
    else if (/^[\]}]$/.test(match[0])) depth--
    else if (match[0] === '\n' && depth <= 0) return token.lastIndex
  }
  return Math.max(from + 1, text.length)
}
