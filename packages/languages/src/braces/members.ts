import { type BraceSyntax, literalEnd } from './literals.ts'

/** A declaration of a file, a namespace or a type, as far as it can be told without knowing the language. */
export interface Member {
  /** `package`, `namespace`, `class` and its like, or undefined for methods and fields. */
  readonly kind: string | undefined
  /** Of a method or field the last word before its parentheses, its value or its end; a quoted name without quotes. */
  readonly name: string
  /** Names of annotations or attributes before the body. */
  readonly marks: readonly string[]
  /** Up to the body. */
  readonly header: string
  readonly text: string
  /** What stands in the braces of a type or namespace. */
  readonly members: readonly Member[]
}

const deepest = 8

/** The members of cleaned source, in order. */
export function membersOf(text: string, syntax: BraceSyntax, depth = 0): readonly Member[] {
  return depth > deepest ? [] : split(text, syntax).map((piece) => readMember(piece, syntax, depth))
}

interface Piece {
  readonly text: string
  /** Where its first parenthesis outside annotations, its value or its body begins. */
  readonly head: number
  /** Where its first brace at the top opens, or its length. */
  readonly body: number
}

const words = new Set(
  'package import namespace using class interface enum record object struct fun val var typealias constructor init def void'.split(
    ' ',
  ),
)
const modifiers = new Set(
  'public private protected internal static final abstract override open data sealed inner annotation lateinit const suspend inline operator companion'.split(
    ' ',
  ),
)

/**
 * Splits at semicolons, after closing braces that nothing follows up, and, where lines end statements, before a line that
 * begins another member.
 */
function split(text: string, syntax: BraceSyntax): Piece[] {
  const pieces: Piece[] = []
  let start = 0
  let head = -1
  let body = -1
  let depth = 0
  /** Something other than annotations and modifiers was seen. */
  let declared = false
  const cut = (end: number) => {
    const piece = text.slice(start, end)
    const lead = piece.length - piece.trimStart().length
    const at = (place: number) => (place < 0 ? piece.trimEnd().length : place - start) - lead
    if (piece.trim() !== '') pieces.push({ text: piece.trim(), head: at(head), body: at(body) })
    start = end
    head = body = -1
    depth = 0
    declared = false
  }
  for (let at = 0; at < text.length; ) {
    const char = text[at]!
    const end = literalEnd(text, at, syntax)
    if (end > at) {
      at = end
      continue
    }
    if (char === '@' && depth === 0) {
      at = annotationEnd(text, at, syntax)
      continue
    }
    if (depth === 0 && /[\w$]/.test(char)) {
      const word = wordAt(text, at)
      declared ||= words.has(word)
      at += word.length
      continue
    }
    if ('([{'.includes(char)) {
      if (depth === 0 && char !== '[') {
        head = head < 0 ? at : head
        declared = true
        if (char === '{' && body < 0) body = at
      }
      depth += 1
    } else if (')]}'.includes(char)) {
      depth = Math.max(0, depth - 1)
      if (char === '}' && depth === 0 && endsMember(text, at + 1)) cut(at + 1)
    } else if (depth === 0 && char === '=') {
      head = head < 0 ? at : head
      declared = true
    } else if (depth === 0 && char === ';') cut(at + 1)
    else if (char === '\n' && depth === 0 && declared && syntax.lineEnds && beginsMember(text, at + 1)) cut(at)
    at += 1
  }
  cut(text.length)
  return pieces
}

function wordAt(text: string, at: number): string {
  const word = /[\w$]+/y
  word.lastIndex = at
  return word.exec(text)![0]
}

function annotationEnd(text: string, at: number, syntax: BraceSyntax): number {
  const name = /@[\w.:]+ ?/y
  name.lastIndex = at
  const match = name.exec(text)
  if (!match || match[0].startsWith('@interface')) return at + 1
  let end = at + match[0].length
  if (text[end] !== '(') return end
  for (let depth = 0; end < text.length; ) {
    const literal = literalEnd(text, end, syntax)
    if (literal > end) {
      end = literal
      continue
    }
    if (text[end] === '(') depth += 1
    else if (text[end] === ')' && --depth === 0) return end + 1
    end += 1
  }
  return end
}

/** Whether the brace before this place is not followed by more of the same expression. */
function endsMember(text: string, from: number): boolean {
  return !/[;,.)=?:]/.test(text.slice(from, from + 3).trimStart()[0] ?? '')
}

function beginsMember(text: string, from: number): boolean {
  if (text[from] === '@' || text[from] === '}') return true
  if (!/[\w$]/.test(text[from] ?? '')) return false
  const word = wordAt(text, from)
  return words.has(word) || modifiers.has(word)
}

const typeKinds = 'class|interface|enum|record|object|struct|namespace'
const typeHeader = new RegExp(`(?:^|\\s)(${typeKinds})(?: (?:class|struct))? (\`[^\`]+\`|[\\w$.]+)`)
const lastName = /(?:`([^`]+)`|"([^"]*)"|'([^']*)'|([\w$]+)) ?(?:<[^<>]*>)? ?$/
const longestHeader = 2000
const longestName = 300

function readMember({ text, head, body }: Piece, syntax: BraceSyntax, depth: number): Member {
  const header = text.slice(0, Math.min(body, longestHeader))
  const { marks, bare } = readMarks(text.slice(0, Math.min(head, longestHeader)), syntax)
  const clause = /^(package|namespace) ([\w.`]+);?$/.exec(text)
  if (clause) return { kind: clause[1], name: clause[2]!.replaceAll('`', ''), marks, header, text, members: [] }
  const type = typeHeader.exec(bare)
  if (type !== null) {
    const inside = body < text.length ? text.slice(body + 1, text.lastIndexOf('}')) : ''
    const members = membersOf(inside, syntax, depth + 1)
    return { kind: type[1], name: type[2]!.replaceAll('`', ''), marks, header, text, members }
  }
  const found = lastName.exec(text.slice(Math.max(0, head - longestName), head))
  const name = found?.slice(1).find((part) => part !== undefined) ?? ''
  return { kind: undefined, name, marks, header, text, members: [] }
}

/** `@Test`, `@org.junit.Test`, `[Fact, Trait("a", "b")]` → Test, Test, Fact and Trait; `bare` is the header without them. */
function readMarks(header: string, syntax: BraceSyntax): { marks: string[]; bare: string } {
  const marks: string[] = []
  const parts: string[] = []
  for (let at = 0; at < header.length; ) {
    const attributes = header[at] === '[' && parts.every((part) => part.trim() === '')
    const end = attributes ? bracketEnd(header, at, syntax, marks) : annotationAt(header, at, syntax, marks)
    if (end === at) parts.push(header[at]!)
    at = Math.max(end, at + 1)
  }
  return { marks, bare: parts.join('').trim() }
}

function annotationAt(header: string, at: number, syntax: BraceSyntax, marks: string[]): number {
  const end = header[at] === '@' ? annotationEnd(header, at, syntax) : at
  if (end <= at + 1) return at
  marks.push(/^@[\w.:]*?(\w+) ?(?:\(|$)/.exec(header.slice(at, end))?.[1] ?? '')
  return end
}

/** The end of a group of attributes, whose names are noted. */
function bracketEnd(header: string, at: number, syntax: BraceSyntax, marks: string[]): number {
  let depth = 0
  for (let i = at; i < header.length; ) {
    const literal = literalEnd(header, i, syntax)
    if (literal > i) {
      i = literal
      continue
    }
    const char = header[i]!
    if ('[({'.includes(char)) depth += 1
    if (')]}'.includes(char)) depth -= 1
    if (depth === 0) return i + 1
    if (depth === 1 && (char === '[' || char === ',')) {
      const name = /\s*(?:\w+\s?:(?!:)\s?)?(?:\w+(?:\.|::))*(\w+)/y
      name.lastIndex = i + 1
      const found = name.exec(header)?.[1]
      if (found) marks.push(found.replace(/(?<=.)Attribute$/, ''))
    }
    i += 1
  }
  return header.length
}
