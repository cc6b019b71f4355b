/** One statement line of Python, comments removed, blanks outside strings reduced to what separates words. */
export interface LogicalLine {
  /** Columns of white space before it; a tab goes to the next multiple of 8. */
  readonly indent: number
  readonly text: string
  /** Only string literals: a docstring, or text without effect. */
  readonly onlyStrings: boolean
}

const opening = '([{'
const closing = ')]}'
const prefix = /[A-Za-z0-9_]/

/** Splits a module as the language does: brackets and backslashes join lines, strings keep every character. */
export function logicalLines(source: string): readonly LogicalLine[] {
  const lines: LogicalLine[] = []
  const text = source.replace(/\r\n?/g, '\n')
  let parts: string[] = []
  let indent = 0
  let depth = 0
  let atStart = true
  let sawCode = false
  const finish = () => {
    const joined = parts.join('').trim()
    if (joined !== '') lines.push({ indent, text: joined, onlyStrings: !sawCode })
    parts = []
    depth = 0
    atStart = true
    sawCode = false
  }
  for (let at = 0; at < text.length; ) {
    if (atStart) {
      const width = /^[ \t\f]*/.exec(text.slice(at, at + 400))![0]
      indent = columns(width)
      at += width.length
      atStart = false
      continue
    }
    const char = text[at]!
    if (char === '\n') {
      at += 1
      if (depth === 0) finish()
      else space(parts)
    } else if (char === '#') {
      const end = text.indexOf('\n', at)
      at = end < 0 ? text.length : end
    } else if (char === '\\' && text[at + 1] === '\n') {
      at += 2
      space(parts)
    } else if (char === '"' || char === "'") {
      const end = stringEnd(text, at)
      parts.push(text.slice(at, end))
      at = end
    } else if (char === ' ' || char === '\t' || char === '\f') {
      at += 1
      space(parts)
    } else {
      if (opening.includes(char)) depth += 1
      else if (closing.includes(char) && depth > 0) depth -= 1
      if (!isStringPrefix(text, at)) sawCode = true
      parts.push(char)
      at += 1
    }
  }
  finish()
  return lines
}

function space(parts: string[]): void {
  if (parts.length > 0 && parts.at(-1) !== ' ') parts.push(' ')
}

function columns(white: string): number {
  let width = 0
  for (const char of white) width = char === '\t' ? (Math.floor(width / 8) + 1) * 8 : char === '\f' ? 0 : width + 1
  return width
}

/** Whether the letter at `at` belongs to a prefix such as `rb` right before a quote. */
function isStringPrefix(text: string, at: number): boolean {
  for (let end = at; end < at + 3; end++) {
    const char = text[end]
    if (char === '"' || char === "'") return end > at
    if (char === undefined || !/[rbfut]/i.test(char)) return false
    if (end === at && at > 0 && prefix.test(text[at - 1]!) && !/[rbfut]/i.test(text[at - 1]!)) return false
  }
  return false
}

/** The index after the string literal that starts with the quote at `at`; an unclosed one-line string ends at its line. */
function stringEnd(text: string, at: number): number {
  const quote = text[at]!
  const triple = text.startsWith(quote.repeat(3), at)
  const close = triple ? quote.repeat(3) : quote
  for (let i = at + close.length; i < text.length; i++) {
    const char = text[i]
    if (char === '\\') i += 1
    else if (char === '\n' && !triple) return i
    else if (text.startsWith(close, i)) return i + close.length
  }
  return text.length
}
