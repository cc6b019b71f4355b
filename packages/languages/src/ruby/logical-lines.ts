/** One statement line of Ruby, comments removed, blanks outside strings reduced to one. */
export interface LogicalLine {
  /** White space before it, in columns; a tab counts as 8. */
  readonly indent: number
  readonly text: string
}

/**
 * Splits a file where a line ends outside strings and brackets. Here-documents belong to the line that opens them.
 * Regular expressions and percent literals are told from operators by what stands before them.
 */
export function logicalLines(source: string): readonly LogicalLine[] {
  const text = source.replace(/\r\n?/g, '\n')
  const lines: LogicalLine[] = []
  let parts: string[] = []
  let indent = 0
  let depth = 0
  let documents: HereDocument[] = []
  let at = 0
  const finish = () => {
    const joined = parts.join('').trim()
    if (joined !== '') lines.push({ indent, text: joined })
    parts = []
    depth = 0
  }
  const startLine = () => {
    const block = blockComment(text, at)
    if (block !== undefined) at = block
    if (parts.length > 0) return
    const width = /^[ \t]*/.exec(text.slice(at, at + 400))![0]
    indent = [...width].reduce((sum, char) => sum + (char === '\t' ? 8 : 1), 0)
    at += width.length
  }
  startLine()
  while (at < text.length) {
    const char = text[at]!
    if (char === '\n') {
      at += 1
      for (const document of documents) {
        const end = documentEnd(text, at, document)
        parts.push(`\n${text.slice(at, end)}`)
        at = end
      }
      documents = []
      if (depth === 0) finish()
      else space(parts)
      startLine()
      if (/^__END__(?:\n|$)/.test(text.slice(at, at + 8)) && indent === 0) break
    } else if (char === '#') {
      const end = text.indexOf('\n', at)
      at = end < 0 ? text.length : end
    } else if (char === '\\' && text[at + 1] === '\n') {
      at += 2
      space(parts)
    } else if (char === ' ' || char === '\t') {
      at += 1
      space(parts)
    } else {
      const document = char === '<' ? hereDocument(text, at) : undefined
      if (document) documents.push(document)
      const end = document ? at + document.mark.length : literalEnd(text, at, lastWord(parts))
      if (end === at + 1) {
        if ('([{'.includes(char)) depth += 1
        else if (')]}'.includes(char)) depth = Math.max(0, depth - 1)
      }
      parts.push(text.slice(at, end))
      at = end
    }
  }
  finish()
  return lines
}

function space(parts: string[]): void {
  if (parts.length > 0 && parts.at(-1) !== ' ') parts.push(' ')
}

/** The code just before a character, as far as it decides what `/` and `%` mean. */
function lastWord(parts: readonly string[]): string {
  return parts.slice(-12).join('').slice(-12)
}

interface HereDocument {
  readonly mark: string
  readonly word: string
  readonly indented: boolean
}

function hereDocument(text: string, at: number): HereDocument | undefined {
  const match = /^<<([~-]?)(["'`]?)([A-Z_][A-Za-z0-9_]*)\2/.exec(text.slice(at, at + 200))
  return match ? { mark: match[0], word: match[3]!, indented: match[1] !== '' } : undefined
}

function documentEnd(text: string, from: number, { word, indented }: HereDocument): number {
  for (let at = from; at < text.length; ) {
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline
    const line = text.slice(at, Math.min(end, at + 400))
    if ((indented ? line.trim() : line) === word) return end
    at = end + 1
  }
  return text.length
}

/** Behind a `=begin … =end` comment that starts here. */
function blockComment(text: string, at: number): number | undefined {
  if (!text.startsWith('=begin', at) || (at > 0 && text[at - 1] !== '\n')) return undefined
  const end = text.indexOf('\n=end', at)
  if (end < 0) return text.length
  const newline = text.indexOf('\n', end + 1)
  return newline < 0 ? text.length : newline + 1
}

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' }
/** An operand is expected: a `/` or `%` here opens a literal. */
const beforeOperand = /(?:^|[=(,[{!|&?:;~<>+*-]|\b(?:if|unless|when|and|or|not|in|return|while|until))\s*$/

/** The index after the string, regular expression or percent literal that begins at `at`; `at + 1` where none does. */
function literalEnd(text: string, at: number, before: string): number {
  const char = text[at]!
  if (char === '"' || char === "'" || char === '`') return quotedEnd(text, at + 1, char, char)
  if (char === '/' && (beforeOperand.test(before) || (before.endsWith(' ') && text[at + 1] !== ' ')))
    return quotedEnd(text, at + 1, '/', '/')
  if (char !== '%' || !(beforeOperand.test(before) || before.endsWith(' '))) return at + 1
  const match = /^%[qQwWiIrsx]?([([{<|!/])/.exec(text.slice(at, at + 3))
  return match ? quotedEnd(text, at + match[0].length, match[1]!, closing[match[1]!] ?? match[1]!) : at + 1
}

function quotedEnd(text: string, from: number, open: string, close: string): number {
  let depth = 1
  for (let at = from; at < text.length; at++) {
    const char = text[at]
    if (char === '\\') at += 1
    else if (char === close) depth -= 1
    else if (char === open) depth += 1
    if (depth === 0) return at + 1
  }
  return text.length
}
