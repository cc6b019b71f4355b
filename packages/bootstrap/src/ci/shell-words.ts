import type { ArrayValue, Word, WordPart } from 'unbash'
import { isResolved, unresolved } from './unresolved.ts'

export type Variables = ReadonlyMap<string, string>

const mostBraces = 64
/** A script may stand in one: `bash -c '…'`. */
const longestWord = 16 * 1024

/** The fields that a word becomes: expansions that are not quoted are split at blanks, braces give several. */
export function expandWord(word: Word, variables: Variables): string[] {
  const parts = word.parts
  if (parts === undefined) return [word.value]
  return braceVariants(parts).flatMap((variant) => fieldsOf(variant, variables))
}

/** The value of an assignment, which is never split. */
export function expandValue(value: Word | ArrayValue | undefined, variables: Variables): string {
  if (value === undefined) return ''
  if (value.type === 'ArrayValue') return value.elements.flatMap((word) => expandWord(word, variables)).join(' ')
  return value.parts === undefined ? value.value : textOfParts(value.parts, variables)
}

/** Whether a word stands in the script as it is, quotes apart. */
export function isLiteral({ parts }: Word): boolean {
  const plain = (part: WordPart): boolean =>
    part.type === 'Literal' || part.type === 'SingleQuoted' || (part.type === 'DoubleQuoted' && part.parts.every(plain))
  return parts?.every(plain) ?? true
}

/** Values that are made of values grow by doubling. */
function textOfParts(parts: readonly WordPart[], variables: Variables): string {
  let text = ''
  for (const part of parts) {
    text += partText(part, variables)
    if (text.length > longestWord) return unresolved
  }
  return text
}

/** `{a,b}` without anything nested; other braces stay as they are written. */
function braceVariants(parts: readonly WordPart[]): readonly WordPart[][] {
  let variants: WordPart[][] = [[]]
  for (const part of parts) {
    const inner = part.type === 'BraceExpansion' ? /^\{([^{}$`'"\\]*,[^{}$`'"\\]*)\}$/.exec(part.text)?.[1] : undefined
    const choices = inner
      ?.split(',')
      .map((value): WordPart => ({ type: 'Literal', pos: part.pos, end: part.end, value, text: value })) ?? [part]
    if (variants.length * choices.length > mostBraces) return [[...parts]]
    variants = variants.flatMap((variant) => choices.map((choice) => [...variant, choice]))
  }
  return variants
}

function fieldsOf(parts: readonly WordPart[], variables: Variables): string[] {
  const fields: string[] = []
  let field: string | undefined
  for (const part of parts) {
    const text = partText(part, variables)
    const isSplit = isExpansion(part) || (part.type === 'DoubleQuoted' && isWholeArray(part.parts))
    if (!isSplit) {
      field = (field ?? '') + text
      continue
    }
    const pieces = text.split(/\s+/)
    for (const [index, piece] of pieces.entries()) {
      if (index > 0 && field !== undefined) {
        fields.push(field)
        field = undefined
      }
      if (piece !== '') field = (field ?? '') + piece
    }
  }
  return field === undefined ? fields : [...fields, field]
}

function isExpansion(part: WordPart): boolean {
  return part.type === 'SimpleExpansion' || part.type === 'ParameterExpansion'
}

/** `"${names[@]}"`: quoted, and yet a word for each element. */
function isWholeArray(parts: readonly WordPart[]): boolean {
  const [only] = parts
  return parts.length === 1 && only?.type === 'ParameterExpansion' && only.index?.value === '@'
}

function partText(part: WordPart, variables: Variables): string {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
    case 'Glob':
      return part.value
    case 'DoubleQuoted':
    case 'LocaleString':
      return textOfParts(part.parts, variables)
    case 'SimpleExpansion':
      return variables.get(part.text.slice(1)) ?? unresolved
    case 'ParameterExpansion':
      return parameterText(part, variables)
    case 'CommandExpansion':
      // Not a fact of the repository, and no reason to leave out `make -j$(nproc)`.
      return /^(?:\$\( *nproc *\)|` *nproc *`)$/.test(part.text) ? '4' : unresolved
    case 'BraceExpansion':
    case 'ExtendedGlob':
      return part.text
    default:
      return unresolved
  }
}

function parameterText(part: Extract<WordPart, { type: 'ParameterExpansion' }>, variables: Variables): string {
  const { parameter, prefix, index, operation } = part
  if (prefix !== undefined || (index !== undefined && !['@', '*'].includes(index.value))) return unresolved
  const known = variables.get(parameter)
  if (operation === undefined) return known ?? unresolved
  if (operation.type === 'Remove' && known !== undefined)
    return withoutPart(known, operation.operator, expandValue(operation.operand, variables))
  if (operation.type !== 'Default' || !['-', ':-', '=', ':='].includes(operation.operator)) return unresolved
  return known === undefined || known === '' ? expandValue(operation.operand, variables) : known
}

/** `${X#pattern}` and its like, for patterns with one star at an end; the longer match for the doubled sign. */
function withoutPart(text: string, sign: string, pattern: string): string {
  const isStart = sign.startsWith('#')
  const fixed = pattern.replace(/^\*|\*$/, '')
  if (!isResolved(text + pattern) || /[*?[\\(]/.test(fixed)) return unresolved
  if (fixed === pattern) {
    if (isStart) return text.startsWith(fixed) ? text.slice(fixed.length) : text
    return text.endsWith(fixed) ? text.slice(0, text.length - fixed.length) : text
  }
  const isOpenAtEnd = pattern.endsWith('*')
  const isLongest = sign.length === 2
  if (isStart && isOpenAtEnd) return text.startsWith(fixed) ? (isLongest ? '' : text.slice(fixed.length)) : text
  if (!isStart && !isOpenAtEnd)
    return text.endsWith(fixed) ? (isLongest ? '' : text.slice(0, text.length - fixed.length)) : text
  const at = isStart === isLongest ? text.lastIndexOf(fixed) : text.indexOf(fixed)
  if (at < 0) return text
  return isStart ? text.slice(at + fixed.length) : text.slice(0, at)
}
