import { isWord } from './clean-source.ts'
import type { Marks } from './marks.ts'
import type { PlainText } from './plain-text.ts'

/** A call such as `describe('title', …)` or `it.each(rows)('title', …)`. */
export interface TestCall {
  readonly isGroup: boolean
  readonly title: string
  readonly start: number
  readonly end: number
}

export interface Source {
  readonly text: string
  readonly plain: PlainText
  readonly marks: Marks
}

const groups = new Set(['describe', 'context', 'suite', 'fdescribe', 'xdescribe'])
const tests = new Set(['it', 'test', 'specify', 'fit', 'xit', 'xtest', 'xspecify'])

/** Calls in order, those inside others too. */
export function* testCalls(source: Source): Generator<TestCall> {
  const { text, marks } = source
  for (const start of marks.words) {
    const word = wordAt(text, start)
    if (word === 'run' && text[start - 1] === '.') {
      const call = ruleCall(source, start)
      if (call) yield call
      continue
    }
    const isGroup = groups.has(word)
    if (!isGroup && !tests.has(word)) continue
    const receiver = text[start - 1] === '.' ? text.slice(Math.max(0, start - 3), start - 1) : undefined
    if (receiver !== undefined && !/(?:^|[^\w$.])t$/.test(receiver)) continue
    const call = callAt(source, start + word.length)
    if (call && !isDefinition(text, start, call.end)) yield { isGroup, start, ...call }
  }
}

/** `function test(a, b) {` and a method of that name. */
function isDefinition(text: string, start: number, end: number): boolean {
  return text[skipBlanks(text, end)] === '{' || /\bfunction\s$/.test(text.slice(Math.max(0, start - 10), start))
}

/** `ruleTester.run('name', rule, { valid: […], invalid: […] })`: the table of a lint rule. */
function ruleCall(source: Source, start: number): TestCall | undefined {
  const { text, marks } = source
  const open = start + 'run'.length
  const end = marks.closes.get(open)
  if (text[open] !== '(' || end === undefined) return undefined
  const table = argumentStarts(source, open, end)[2]
  if (table === undefined || !isRuleTable(text, table)) return undefined
  const call = titled(source, skipBlanks(text, open + 1), end)
  return call && { isGroup: false, start, ...call }
}

function isRuleTable(text: string, at: number): boolean {
  return text[at] === '{' && /\b(?:in)?valid ?[:,}]/.test(text.slice(at, at + 400))
}

/** Where the first three arguments begin. */
function argumentStarts({ text, marks }: Source, open: number, end: number): number[] {
  const starts = [skipBlanks(text, open + 1)]
  for (let at = open + 1; at < end - 1 && starts.length < 3; at = afterToken(text, at, marks))
    if (text[at] === ',') starts.push(skipBlanks(text, at + 1))
  return starts
}

/** Literals and brackets are passed over with all that they hold. */
function afterToken(text: string, at: number, { closes, literals }: Marks): number {
  return literals.get(at) ?? closes.get(at) ?? Math.min(at + 1, text.length)
}

/** Modifiers that are called with rows or a condition before the call with the title. */
const curried = new Set(['each', 'for', 'skipIf', 'runIf', 'todoIf'])

/** Modifiers and rows (`.only`, `.each(rows)`, a template of rows), then the call whose first argument is the title. */
function callAt(source: Source, from: number): { title: string; end: number } | undefined {
  const { text, marks } = source
  let rows = false
  for (let at = from; at < text.length; ) {
    const char = text[at]
    if (char === ' ' || char === '\n') at++
    else if (char === '.') {
      const modifier = wordAt(text, at + 1)
      rows ||= curried.has(modifier)
      at += 1 + modifier.length
    } else if (char === '`' && rows) {
      at = marks.literals.get(at) ?? text.length
      rows = false
    } else if (char === '(') {
      const end = marks.closes.get(at) ?? text.length
      if (!rows) return titled(source, skipBlanks(text, at + 1), end)
      rows = false
      at = end
    } else return undefined
  }
  return undefined
}

/** No person writes a longer one. */
const longestTitle = 300

/** A title that is no literal stands as the expression that makes it, up to its comma. A table of a lint rule needs none. */
function titled(source: Source, from: number, end: number): { title: string; end: number } | undefined {
  const { text, marks, plain } = source
  const literal = marks.literals.get(from)
  if (literal !== undefined && text[from] !== '/' && ',)'.includes(text[skipBlanks(text, literal)] ?? ')'))
    return { title: titleOf(plain.slice(from, literal)), end }
  if (isRuleTable(text, from)) return { title: '({valid,invalid})', end }
  let comma = from
  const last = Math.min(end - 1, from + longestTitle)
  while (comma < last && text[comma] !== ',') comma = afterToken(text, comma, marks)
  if (comma >= last || comma === from) return undefined
  const expression = plain.slice(from, comma)
  return /=>|^(?:async )?function\b/.test(expression) ? undefined : { title: `(${expression})`, end }
}

function wordAt(text: string, at: number): string {
  let end = at
  while (end < text.length && isWord(text[end]!)) end++
  return text.slice(at, end)
}

function skipBlanks(text: string, at: number): number {
  let end = at
  while (text[end] === ' ' || text[end] === '\n') end++
  return end
}

function titleOf(literal: string): string {
  return literal.slice(1, -1).replace(/\\(['"`\\$])/g, '$1')
}
