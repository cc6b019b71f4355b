import { cleanGoSource, literalEnd } from './clean-source.ts'

export interface GoDeclaration {
  readonly kind: 'function' | 'method' | 'var'
  readonly name: string
  /** From its first word to its end, without comments. */
  readonly text: string
}

const header = /^func ?(\([^)]*\))? ?([^\W\d]\w*) ?[[(]/u
const variable = /^(?:var|const) ([^\W\d]\w*)/u

/** The functions, methods, variables and constants at the top level of a Go file; grouped ones count as one each. */
export function goDeclarations(source: string): readonly GoDeclaration[] {
  const found: GoDeclaration[] = []
  for (const text of topLevel(cleanGoSource(source))) {
    const match = header.exec(text)
    if (match) found.push({ kind: match[1] === undefined ? 'function' : 'method', name: match[2]!, text })
    else if (variable.test(text)) found.push({ kind: 'var', name: variable.exec(text)![1]!, text })
    else if (/^(?:var|const) ?\(/.test(text))
      for (const [, name] of text.matchAll(/^ ?([^\W\d]\w*)[^\n]*?=/gmu)) found.push({ kind: 'var', name: name!, text })
  }
  return found
}

/** Splits cleaned source at line ends outside every bracket. */
function topLevel(text: string): string[] {
  const pieces: string[] = []
  let start = 0
  let depth = 0
  const cut = (end: number) => {
    const piece = text.slice(start, end).trim()
    if (piece !== '') pieces.push(piece)
    start = end + 1
  }
  for (let at = 0; at < text.length; ) {
    const char = text[at]!
    if (char === '"' || char === "'" || char === '`') {
      at = literalEnd(text, at)
      continue
    }
    if ('([{'.includes(char)) depth += 1
    else if (')]}'.includes(char)) depth = Math.max(0, depth - 1)
    else if (char === '\n' && depth === 0) cut(at)
    at += 1
  }
  cut(text.length)
  return pieces
}
