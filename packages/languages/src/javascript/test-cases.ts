import type { TestCase } from '@r2e/spec'
import { cleanSource, isWord, literalEnd } from './clean-source.ts'

/** A call such as `describe('title', …)` or `it.each(rows)('title', …)`. */
interface Call {
  readonly isGroup: boolean
  readonly title: string
  readonly start: number
  readonly end: number
}

const groups = new Set(['describe', 'context', 'suite', 'fdescribe', 'xdescribe'])
const tests = new Set(['it', 'test', 'specify', 'fit', 'xit', 'xtest', 'xspecify'])

/** No file nests its tests deeper. */
const deepest = 20

/**
 * The test calls of a file, named as ids end (`outer > title`; a title with parts to fill in as it is written). The text
 * of a case holds its rows and what the file declares at its top and the case names: a table is part of the case.
 */
export function javascriptTestCases(source: string): readonly TestCase[] {
  const text = cleanSource(source)
  const marks = bracketsOf(text)
  const declared = declarations(text, marks)
  const open: Call[] = []
  const seen = new Map<string, number>()
  const found: TestCase[] = []
  for (const call of callsOf(text, marks)) {
    while (open.length > 0 && open.at(-1)!.end <= call.start) open.pop()
    if (open.length >= deepest) continue
    if (!call.isGroup) {
      const name = [...open, call].map(({ title }) => title.replaceAll(' > ', ' \\> ')).join(' > ')
      const count = (seen.get(name) ?? 0) + 1
      seen.set(name, count)
      const body = text.slice(call.start, call.end)
      found.push({ name: count === 1 ? name : `${name} #${count}`, text: withDeclared(body, declared) })
    }
    open.push(call)
  }
  return found
}

interface Marks {
  /** Index after the closing bracket of each opening one; the text's end where it stays open. */
  readonly closes: ReadonlyMap<number, number>
  /** Where words begin outside literals. */
  readonly words: readonly number[]
  /** Ends of literals by their beginning. */
  readonly literals: ReadonlyMap<number, number>
  /** Newlines outside every bracket. */
  readonly topNewlines: readonly number[]
}

function bracketsOf(text: string): Marks {
  const closes = new Map<number, number>()
  const literals = new Map<number, number>()
  const words: number[] = []
  const topNewlines: number[] = []
  const open: number[] = []
  let before = ''
  for (let at = 0; at < text.length; ) {
    const char = text[at]!
    const end = literalEnd(text, at, before)
    if (end > at) {
      literals.set(at, end)
      before = char
      at = end
      continue
    }
    if (isWord(char)) {
      words.push(at)
      const start = at
      while (at < text.length && isWord(text[at]!)) at++
      before = text.slice(start, at)
      continue
    }
    if ('([{'.includes(char)) open.push(at)
    else if (')]}'.includes(char) && open.length > 0) closes.set(open.pop()!, at + 1)
    else if (char === '\n' && open.length === 0) topNewlines.push(at)
    if (char !== ' ' && char !== '\n') before = char
    at++
  }
  for (const left of open) closes.set(left, text.length)
  return { closes, words, literals, topNewlines }
}

function* callsOf(text: string, marks: Marks): Generator<Call> {
  for (const start of marks.words) {
    const word = wordAt(text, start)
    const isGroup = groups.has(word)
    if (!isGroup && !tests.has(word)) continue
    const receiver = text[start - 1] === '.' ? text.slice(Math.max(0, start - 3), start - 1) : undefined
    if (receiver !== undefined && !/(?:^|[^\w$.])t$/.test(receiver)) continue
    const call = callAt(text, start + word.length, marks)
    if (call) yield { isGroup, start, ...call }
  }
}

/** Modifiers that are called with rows or a condition before the call with the title. */
const curried = new Set(['each', 'for', 'skipIf', 'runIf', 'todoIf'])

/** Modifiers and rows (`.only`, `.each(rows)`, a template of rows), then the call whose first argument is the title. */
function callAt(text: string, from: number, marks: Marks): { title: string; end: number } | undefined {
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
      if (!rows) return titled(text, { from: skipBlanks(text, at + 1), end }, marks)
      rows = false
      at = end
    } else return undefined
  }
  return undefined
}

/** A title that is no literal stands as the expression that makes it. */
function titled(text: string, call: { from: number; end: number }, { literals }: Marks) {
  const literal = literals.get(call.from)
  if (literal !== undefined && text[call.from] !== '/')
    return { title: titleOf(text.slice(call.from, literal)), end: call.end }
  const expression = /^[\w$.[\]]+(?= ?,)/.exec(text.slice(call.from, Math.min(call.end, call.from + 200)))?.[0]
  return expression === undefined ? undefined : { title: `(${expression})`, end: call.end }
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

/** Constants, functions and classes at the top level, by name. */
function declarations(text: string, { topNewlines }: Marks): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  let start = 0
  for (const end of [...topNewlines, text.length]) {
    const piece = text.slice(start, end)
    start = end + 1
    const name =
      /^(?:export )?(?:default )?(?:async )?(?:const|let|var|function\*?|class) ?([\w$]+)/.exec(piece)?.[1] ?? undefined
    if (name !== undefined) found.set(name, piece)
  }
  return found
}

function withDeclared(body: string, declared: ReadonlyMap<string, string>): string {
  if (declared.size === 0) return body
  const named = new Set(body.match(/[\w$]+/g))
  return [body, ...[...declared].filter(([name]) => named.has(name)).map(([, text]) => text)].join('\n')
}
