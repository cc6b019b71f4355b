/** C or C++ source without comments, runs of blanks reduced; newlines and literals stay. */
export function cleanCppSource(source: string): string {
  const parts: string[] = []
  const text = source.replace(/\r\n?/g, '\n')
  for (let at = 0; at < text.length; ) {
    const char = text[at]!
    if (char === '/' && text[at + 1] === '/') at = lineEnd(text, at)
    else if (char === '/' && text[at + 1] === '*') {
      at = endOf(text, '*/', at + 2)
      blank(parts, ' ')
    } else if (isQuote(text, at)) {
      const end = literalEnd(text, at)
      parts.push(text.slice(at, end))
      at = end
    } else if (char === ' ' || char === '\t' || char === '\n') {
      blank(parts, char === '\n' ? '\n' : ' ')
      at += 1
    } else {
      parts.push(char)
      at += 1
    }
  }
  return parts.join('')
}

/** A `'` between digits separates them: `1'000`. */
function isQuote(text: string, at: number): boolean {
  return text[at] === '"' || (text[at] === "'" && !/[0-9a-fA-F]/.test(text[at - 1] ?? ''))
}

/** The index after the literal whose quote stands at `at`; an unclosed one ends at its line, a raw one at the end. */
export function literalEnd(text: string, at: number): number {
  const quote = text[at]
  const raw = quote === '"' && text[at - 1] === 'R' ? /^"([^\s()\\"]{0,16})\(/.exec(text.slice(at, at + 19)) : null
  if (raw) return endOf(text, `)${raw[1]}"`, at + raw[0].length)
  for (let i = at + 1; i < text.length; i++) {
    if (text[i] === '\\') i += 1
    else if (text[i] === quote) return i + 1
    else if (text[i] === '\n') return i
  }
  return text.length
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

function endOf(text: string, mark: string, from: number): number {
  const end = text.indexOf(mark, from)
  return end < 0 ? text.length : end + mark.length
}

function blank(parts: string[], kind: ' ' | '\n'): void {
  const last = parts.at(-1)
  if (last === '\n' || last === undefined) return
  if (last === ' ') parts.pop()
  parts.push(kind)
}

/** The same text, as long, with nothing in its literals. */
export function maskLiterals(text: string): string {
  const parts: string[] = []
  for (let at = 0; at < text.length; ) {
    const start = at
    while (at < text.length && !isQuote(text, at)) at += 1
    parts.push(text.slice(start, at))
    if (at === text.length) break
    const end = literalEnd(text, at)
    parts.push('"'.repeat(end - at))
    at = end
  }
  return parts.join('')
}

/** For each bracket of masked text the index after the one that closes it; the end where none does. */
export function bracketEnds(masked: string): (open: number) => number {
  const ends = new Map<number, number>()
  const waiting: Record<string, number[]> = { '(': [], '{': [] }
  const opening: Readonly<Record<string, string>> = { ')': '(', '}': '{' }
  for (let at = 0; at < masked.length; at++) {
    const char = masked[at]!
    if (char === '(' || char === '{') waiting[char]!.push(at)
    else if (char === ')' || char === '}') {
      const open = waiting[opening[char]!]!.pop()
      if (open !== undefined) ends.set(open, at + 1)
    }
  }
  return (open) => ends.get(open) ?? masked.length
}
