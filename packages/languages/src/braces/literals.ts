/** What the literals and comments of a language with braces look like. */
export interface BraceSyntax {
  /** `/* /* *\/ *\/` is one comment. */
  readonly nestedComments?: boolean
  /** A string holds code in `${ }`. */
  readonly templates?: boolean
  /** `@"…""…"` without escapes. */
  readonly verbatim?: boolean
  /** No semicolon is needed at the end of a line. */
  readonly lineEnds?: boolean
}

const deepest = 50

/** The index after the literal that begins at `at`, or `at` where none does. An unclosed one ends at its line. */
export function literalEnd(text: string, at: number, syntax: BraceSyntax, depth = 0): number {
  const quote = text[at]
  if (syntax.verbatim && (quote === '@' || quote === '$')) {
    const [prefix] = /^[@$]{1,2}(?=")/.exec(text.slice(at, at + 3)) ?? ['']
    if (prefix.includes('@')) return verbatimEnd(text, at + prefix.length + 1)
    return prefix === '' ? at : literalEnd(text, at + prefix.length, syntax, depth)
  }
  if (quote !== '"' && quote !== "'" && quote !== '`') return at
  if (text.startsWith(quote.repeat(3), at) && quote !== '`') return blockEnd(text, at, quote)
  for (let i = at + 1; i < text.length; i++) {
    const char = text[i]
    if (char === quote) return i + 1
    if (char === '\n') return i
    if (char === '\\' && quote !== '`') i += 1
    else if (char === '$' && syntax.templates && text[i + 1] === '{' && depth < deepest)
      i = templateEnd(text, i + 2, syntax, depth + 1) - 1
  }
  return text.length
}

function verbatimEnd(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2))
    if (text[at + 1] !== '"') return at + 1
  return text.length
}

/** Of a text block; quotes beyond its three belong to its mark or to its text. */
function blockEnd(text: string, at: number, quote: string): number {
  let length = 3
  while (text[at + length] === quote) length += 1
  if (length === 6) return at + 6
  const end = text.indexOf(quote.repeat(length), at + length)
  return end < 0 ? text.length : end + length
}

function templateEnd(text: string, from: number, syntax: BraceSyntax, depth: number): number {
  let open = 1
  for (let i = from; i < text.length; ) {
    const end = literalEnd(text, i, syntax, depth)
    if (end > i) {
      i = end
      continue
    }
    if (text[i] === '{') open += 1
    if (text[i] === '}' && --open === 0) return i + 1
    if (text[i] === '\n') return i
    i += 1
  }
  return text.length
}
