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
/** Members and parameters on a line of their own: their declaration is the whole line. */
const MEMBERS: readonly RegExp[] = [
  /^\t+([A-Z]\w*)\s+(?:\[\]|\*|map\[|func\(|chan\s)?[\w.]+[\w.\])*[({} ,]*(?:`[^`]*`)?(?:\s*\/\/.*)?$/,
  /^\s+(\w+)\s*:\s*[^=,(){}]+(?:\[[^=]*\])?(?:\s*=\s*[^,]+)?,?$/,
  /^\s+(\w+)\s*=\s*[^=,]+,$/,
]

/** What the added lines of a change declare. */
export function definitions(change: ChangedText): readonly Definition[] {
  const added = new Set(change.added)
  return change.after.flatMap((line, at) => {
    if (!added.has(line) || line.length > 500) return []
    const name = SHAPES.map((shape) => shape.exec(line)?.[1]).find((found) => found !== undefined)
    if (name !== undefined) return [{ name, signature: signatureAt(change.after, at) }]
    const member = MEMBERS.map((shape) => shape.exec(line)?.[1]).find((found) => found !== undefined)
    if (member !== undefined)
      return [
        {
          name: member,
          signature: line
            .replace(/\s*\/\/.*$/, '')
            .trim()
            .replace(/,$/, ''),
        },
      ]
    return parameters(line)
  })
}

/** Named parameters with a default or a type in a one-line signature: `def f(self, *, strict=False)`. */
function parameters(line: string): readonly Definition[] {
  if (!/^\s*(?:async\s+)?def\s/.test(line)) return []
  return [...line.matchAll(/[(,]\s*(\w+)\s*[:=]/g)].map((match) => ({ name: match[1]!, signature: signatureOf(line) }))
}

/** The declaration from its first line to the bracket that closes its parameters, at most 20 lines. */
function signatureAt(lines: readonly string[], start: number): string {
  let text = ''
  for (let at = start; at < lines.length && at < start + 20; at++) {
    text += `${at === start ? '' : ' '}${lines[at]!.trim()}`
    if (balance(text) <= 0) break
  }
  return signatureOf(text)
}

function balance(text: string): number {
  let depth = 0
  for (const char of text) depth += '([{'.includes(char) ? 1 : ')]}'.includes(char) ? -1 : 0
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
