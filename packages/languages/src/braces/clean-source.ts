import { type BraceSyntax, literalEnd } from './literals.ts'

/** Source with comments removed and runs of blanks outside literals reduced; line ends and literals stay. */
export function cleanSource(source: string, syntax: BraceSyntax): string {
  const text = source.replace(/\r\n?/g, '\n')
  const parts: string[] = []
  for (let at = 0; at < text.length; ) {
    const char = text[at]!
    const literal = literalEnd(text, at, syntax)
    if (literal > at) {
      parts.push(text.slice(at, literal))
      at = literal
    } else if (char === '/' && text[at + 1] === '/') {
      const end = text.indexOf('\n', at)
      at = end < 0 ? text.length : end
    } else if (char === '/' && text[at + 1] === '*') {
      at = commentEnd(text, at + 2, syntax)
      blank(parts, ' ')
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

function commentEnd(text: string, from: number, { nestedComments }: BraceSyntax): number {
  const marks = nestedComments ? /\/\*|\*\//g : /\*\//g
  marks.lastIndex = from
  for (let depth = 1, mark = marks.exec(text); mark; mark = marks.exec(text)) {
    depth += mark[0] === '/*' ? 1 : -1
    if (depth === 0) return marks.lastIndex
  }
  return text.length
}

function blank(parts: string[], kind: ' ' | '\n'): void {
  const last = parts.at(-1)
  if (last === '\n' || last === undefined) return
  if (last === ' ') parts.pop()
  parts.push(kind)
}
