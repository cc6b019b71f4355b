import { isWord, type Token } from './clean-source.ts'

/** Source as it is compared: what a formatter decides is left out. */
export interface PlainText {
  /** The plain text of a part of the source that begins and ends with a token. */
  slice(start: number, end: number): string
}

/**
 * Neither line breaks, blanks, semicolons, commas before a closing bracket, the brackets of an arrow's only parameter nor
 * the kind of quote count.
 */
export function plainText(text: string, tokens: readonly Token[]): PlainText {
  const places = new Uint32Array(text.length + 1)
  const parts: string[] = []
  let length = 0
  let last = ''
  let comma = false
  let gap = false
  const add = (part: string) => {
    parts.push(part)
    length += part.length
    last = part.at(-1) ?? ''
  }
  const skipped = new Set<number>()
  for (const [index, { start, end, kind }] of tokens.entries()) {
    const char = text[start]!
    places[start] = length
    if (char === '(' && isParameter(text, tokens, index)) skipped.add(start).add(tokens[index + 2]!.start)
    if (kind === 'blank' || char === ';' || skipped.has(start)) {
      gap = true
      continue
    }
    if (comma && !')]}'.includes(char)) add(',')
    comma = char === ','
    if (!comma) {
      if (gap && isWord(char) && isWord(last || ' ')) add(' ')
      places[start] = length
      add(kind === 'literal' ? quoted(text.slice(start, end)) : text.slice(start, end))
    }
    gap = false
  }
  places[text.length] = length
  const plain = parts.join('')
  return { slice: (start, end) => plain.slice(places[start], places[end]) }
}

/** `(name) =>` */
function isParameter(text: string, tokens: readonly Token[], index: number): boolean {
  const [name, close] = [tokens[index + 1], tokens[index + 2]]
  return name?.kind === 'word' && close?.start === name.end && /^\) ?=>/.test(text.slice(close.start, close.start + 4))
}

/** In double quotes, whichever it was written in; formatters also break lines inside `${}`. */
function quoted(literal: string): string {
  if (literal[0] === '`') return literal.replace(/(?<=\$\{)\s+|(?<!\s)\s+(?=\})/g, '')
  if (literal[0] !== "'" && literal[0] !== '"') return literal
  const inner = literal.slice(1, literal.endsWith(literal[0]) && literal.length > 1 ? -1 : undefined)
  return `"${inner.replace(/\\(.)|"/gs, (all, next) => (all === '"' || next === '"' ? '\\"' : next === "'" ? "'" : all))}"`
}
