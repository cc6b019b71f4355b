/** Go source with comments removed and runs of blanks outside strings reduced; newlines and strings stay. */
export function cleanGoSource(source: string): string {
  const parts: string[] = []
  const text = source.replace(/\r\n?/g, '\n')
  for (let at = 0; at < text.length; ) {
    const char = text[at]!
    if (char === '/' && text[at + 1] === '/') {
      at = until(text, '\n', at)
    } else if (char === '/' && text[at + 1] === '*') {
      const end = text.indexOf('*/', at + 2)
      at = end < 0 ? text.length : end + 2
      blank(parts, ' ')
    } else if (char === '"' || char === "'" || char === '`') {
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

function until(text: string, mark: string, at: number): number {
  const end = text.indexOf(mark, at)
  return end < 0 ? text.length : end
}

function blank(parts: string[], kind: ' ' | '\n'): void {
  const last = parts.at(-1)
  if (last === '\n' || last === undefined) return
  if (last === ' ') parts.pop()
  parts.push(kind === '\n' || last !== ' ' ? kind : ' ')
}

/** The index after the literal whose quote stands at `at`; an unclosed one ends at its line (a raw one at the end). */
export function literalEnd(text: string, at: number): number {
  const quote = text[at]!
  for (let i = at + 1; i < text.length; i++) {
    const char = text[i]
    if (char === '\\' && quote !== '`') i += 1
    else if (char === quote) return i + 1
    else if (char === '\n' && quote !== '`') return i
  }
  return text.length
}
