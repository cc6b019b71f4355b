import type { ChangedText } from './added-lines.ts'

export interface Definition {
  readonly name: string
  /** The line (or lines, joined) that declare it, without a body. */
  readonly signature: string
}

/** Declarations by the shape of a line, in the languages that have one. The name is the first group. */
const SHAPES: readonly RegExp[] = [
  /^\s*(?:async\s+)?def\s+(?!__\w+__\b)(\w+)\s*\(/,
  /^\s*class\s+(\w+)\b/,
  /^func\s+(?:\([^)]*\)\s*)?(\w+)\s*[([]/,
  /^type\s+(\w+)\b/,
  /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:async\s+|unsafe\s+|const\s+)*fn\s+(\w+)/,
  /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:struct|enum|trait|union|mod)\s+(\w+)/,
  /^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?function\s*\*?\s*(\w+)/,
  /^\s*(?:export\s+)?(?:default\s+)?(?:abstract\s+)?(?:class|interface|enum|namespace)\s+(\w+)/,
  /^\s*export\s+(?:const|let|var|type)\s+(\w+)/,
  /^\s*(?:(?:public|protected|internal|static|final|abstract|override|virtual|async|sealed|partial)\s+)+[\w<>[\],.? ]+?\s+(\w+)\s*\(/,
  /^(?:const|var)\s+([A-Z]\w*)\b/,
  /^([A-Z][A-Z0-9_]{2,})\s*(?::[^=]+)?=/,
]
/** A field of a Go struct or a method of an interface stands on a line of its own. */
const GO_MEMBER = /^\t+([A-Z]\w*)(?:\s+[[*\w]|\()[\w.[\]()*{} ,]*(?:`[^`]*`)?(?:\s*\/\/.*)?$/
/** An annotated attribute, or a parameter of a declaration over several lines. */
const PYTHON_MEMBER = /^\s+\*{0,2}(\w+)\s*(?::\s*([^=(){}:]+))?(?:=\s*[^=].*)?,?$/
const LONGEST_LINE = 300
const LONGEST_DECLARATION = 20

/** What the added lines of a change declare. */
export function definitions(change: ChangedText): readonly Definition[] {
  const added = new Set(change.added)
  return change.after.flatMap((line, at) => {
    if (!added.has(line) || line.length > LONGEST_LINE) return []
    const name = SHAPES.map((shape) => shape.exec(line)?.[1]).find((found) => found !== undefined)
    if (name !== undefined) return [{ name, signature: signatureAt(change.after, at) }, ...parameters(change.after, at)]
    if (change.path.endsWith('.py')) return pythonMember(change.after, at)
    const member = change.path.endsWith('.go') ? GO_MEMBER.exec(line)?.[1] : undefined
    return member === undefined ? [] : [{ name: member, signature: line.replace(/\s*\/\/.*$/, '').trim() }]
  })
}

/** Named parameters with a default or a type: `def f(self, *, strict=False)`. */
function parameters(lines: readonly string[], at: number): readonly Definition[] {
  if (!/^\s*(?:async\s+)?def\s/.test(lines[at]!)) return []
  const signature = signatureAt(lines, at)
  return [...signature.matchAll(/[(,]\s*\*{0,2}(\w+)\s*[:=]/g)].map((match) => ({ name: match[1]!, signature }))
}

/** An added parameter is told by the whole declaration around it; an attribute by its type, without its value. */
function pythonMember(lines: readonly string[], at: number): readonly Definition[] {
  const [, name, type] = PYTHON_MEMBER.exec(lines[at]!) ?? []
  if (name === undefined) return []
  for (let start = at - 1; start >= 0 && start > at - LONGEST_DECLARATION; start--) {
    if (!/^\s*(?:async\s+)?def\s/.test(lines[start]!)) continue
    return start + declarationHeight(lines, start) > at ? [{ name, signature: signatureAt(lines, start) }] : []
  }
  return type === undefined || !/^\w/.test(type) ? [] : [{ name, signature: `${name}: ${type.trim()}` }]
}

/** The declaration from its first line to the bracket that closes its parameters. */
function signatureAt(lines: readonly string[], start: number): string {
  const declaration = lines.slice(start, start + declarationHeight(lines, start))
  return signatureOf(declaration.map((line) => line.trim()).join(' '))
}

function declarationHeight(lines: readonly string[], start: number): number {
  let open = 0
  for (let at = start; at < lines.length && at < start + LONGEST_DECLARATION; at++) {
    open += balance(lines[at]!)
    if (open <= 0) return at - start + 1
  }
  return 1
}

function balance(text: string): number {
  let depth = 0
  for (const char of text) depth += '([{'.includes(char) ? 1 : ')]}'.includes(char) ? -1 : 0
  // The brace that opens a body is no bracket of the declaration.
  return /[{]\s*$/.test(text) ? depth - 1 : depth
}

/** Without a body: what follows the parameters' colon, brace or arrow, and the value of a constant. */
function signatureOf(declaration: string): string {
  const text = declaration.trim().replace(/\s+/g, ' ').replace(/\( /g, '(').replace(/,? \)/g, ')')
  if (/^(?:async )?(?:def|class) /.test(text))
    return text.replace(/:(?:\s*(?:\.\.\.|pass|return\b.*|raise\b.*|#.*))?$/, '').slice(0, 300)
  if (/^(?:export )?(?:const|let|var|type)\b.*=|^[A-Z][A-Z0-9_]+\s*[:=]/.test(text))
    return text
      .replace(/\s*=(?!>).*$/, '')
      .replace(/\s*[{(].*$/, '')
      .slice(0, 300)
  return text
    .replace(/\s*\{.*$/, '')
    .replace(/;$/, '')
    .slice(0, 300)
}
