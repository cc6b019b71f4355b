/** What stands at a place of JavaScript source. */
interface Piece {
  /** Index after it. */
  readonly end: number
  readonly kind: 'comment' | 'literal' | 'code'
}

/**
 * JavaScript or TypeScript without comments, runs of blanks outside literals reduced; newlines and literals stay. Not a
 * parser: where a slash begins a regular expression is judged by the word or sign before it.
 */
export function cleanSource(source: string): string {
  const text = source.replace(/\r\n?/g, '\n')
  const parts: string[] = []
  let before = ''
  for (let at = 0; at < text.length; ) {
    const char = text[at]!
    const { kind, end } = pieceAt(text, at, before)
    if (kind === 'comment') blank(parts, text.slice(at, end).includes('\n') ? '\n' : ' ')
    else if (char === ' ' || char === '\t' || char === '\n') blank(parts, char === '\n' ? '\n' : ' ')
    else {
      const piece = text.slice(at, end)
      parts.push(piece)
      before = piece
    }
    at = end
  }
  return parts.join('')
}

export interface Token {
  readonly start: number
  readonly end: number
  readonly kind: 'literal' | 'word' | 'blank' | 'sign'
}

/** The tokens of cleaned source in order; a template is one, with all that it holds. */
export function* tokensOf(text: string): Generator<Token> {
  let before = ''
  for (let start = 0; start < text.length; ) {
    const char = text[start]!
    const piece = pieceAt(text, start, before)
    const kind = piece.kind === 'literal' ? 'literal' : isWord(char) ? 'word' : /\s/.test(char) ? 'blank' : 'sign'
    if (kind !== 'blank') before = kind === 'word' ? text.slice(start, piece.end) : char
    yield { start, end: piece.end, kind }
    start = piece.end
  }
}

function pieceAt(text: string, at: number, before: string): Piece {
  const char = text[at]!
  const next = text[at + 1]
  if (char === '/' && next === '/') return { kind: 'comment', end: until(text, '\n', at) }
  if (char === '/' && next === '*') {
    const end = text.indexOf('*/', at + 2)
    return { kind: 'comment', end: end < 0 ? text.length : end + 2 }
  }
  if (char === '"' || char === "'") return { kind: 'literal', end: quotedEnd(text, at) }
  if (char === '`') return { kind: 'literal', end: templateEnd(text, at) }
  if (char === '/' && startsExpression(before)) {
    const end = regexEnd(text, at)
    if (end > 0) return { kind: 'literal', end }
  }
  return { kind: 'code', end: isWord(char) ? wordEnd(text, at) : at + 1 }
}

/** A word (as one piece), so that `return` and `x` before a slash can be told apart. */
function wordEnd(text: string, at: number): number {
  let end = at
  while (end < text.length && isWord(text[end]!)) end++
  return end
}

export function isWord(char: string): boolean {
  return /[\w$\u0080-\uffff]/.test(char)
}

const operators = new Set([
  'return',
  'typeof',
  'case',
  'in',
  'of',
  'delete',
  'void',
  'throw',
  'new',
  'else',
  'do',
  'await',
  'yield',
])

function startsExpression(before: string): boolean {
  return before === '' || operators.has(before) || (!isWord(before[0]!) && !/^[)\]}'"`/<]/.test(before))
}

function until(text: string, mark: string, at: number): number {
  const end = text.indexOf(mark, at)
  return end < 0 ? text.length : end
}

/** An unclosed string ends at its line. */
function quotedEnd(text: string, at: number): number {
  for (let i = at + 1; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === text[at]) return i + 1
    else if (text[i] === '\n') return i
  }
  return text.length
}

/** Braces of `${…}` are counted; literals inside are passed over, templates too. */
function templateEnd(text: string, start: number): number {
  const open: number[] = []
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at]
    if (open.length % 2 === 0) {
      if (char === '\\') at++
      else if (char === '$' && text[at + 1] === '{') {
        open.push(0)
        at++
      } else if (char === '`') {
        if (open.length === 0) return at + 1
        open.pop()
      }
    } else if (char === '`') open.push(-1)
    else if (char === '"' || char === "'") at = quotedEnd(text, at) - 1
    else if (char === '{') open[open.length - 1]!++
    else if (char === '}' && open[open.length - 1]!-- === 0) open.pop()
  }
  return text.length
}

/** No person writes a longer one. */
const longestExpression = 400

function regexEnd(text: string, start: number): number {
  let inClass = false
  for (let at = start + 1; at < Math.min(text.length, start + longestExpression); at++) {
    const char = text[at]
    if (char === '\n') return 0
    if (char === '\\') at++
    else if (char === '[') inClass = true
    else if (char === ']') inClass = false
    else if (char === '/' && !inClass) return at + 1
  }
  return 0
}

function blank(parts: string[], kind: ' ' | '\n'): void {
  const last = parts.at(-1)
  if (last === '\n' || last === undefined) return
  if (last === ' ') parts.pop()
  parts.push(kind === '\n' || last !== ' ' ? kind : ' ')
}
