import { declare, named, type Scope, short } from './declarations.ts'
import type { Source, TestCall } from './test-calls.ts'

interface Span {
  readonly start: number
  readonly end: number
}

/** The file, or what stands between two braces around a test. */
interface Block extends Span {
  readonly scope: Scope
  readonly statements: readonly Statement[]
  /** What each case inside depends on: hooks and statements of its groups, rows of its loops. */
  readonly shared: string
}

interface Statement extends Span {
  /** Its text without its calls, and what that names. */
  frame?: string
  /** Blocks whose frame has been read. */
  blocks: number
}

interface Input {
  readonly source: Source
  readonly calls: readonly TestCall[]
}

/** No file nests its blocks deeper, and no statement holds more of them. */
const deepestBlock = 40
const mostBlocks = 100

const hook =
  /^(?:await )?(?:test\.|t\.|hooks\.)?(?:before|after|beforeEach|afterEach|beforeAll|afterAll|setup|teardown|suiteSetup|suiteTeardown)\b/

/**
 * What a call depends on beside its own text: rows of loops around it, hooks and statements of its groups, and the
 * declarations that are named. Other tests are no part of it. To be asked in the order of the calls.
 */
export function surroundings(input: Input): (call: TestCall) => string {
  const { source, calls } = input
  const { braces, closes } = source.marks
  const open: Block[] = [blockOf({ start: -1, end: source.text.length }, undefined, input)]
  let next = 0
  const leave = (place: number) => {
    while (open.length > 1 && open.at(-1)!.end <= place) open.pop()
  }
  return (call) => {
    for (; next < braces.length && braces[next]! < call.start; next++) {
      const span = { start: braces[next]!, end: closes.get(braces[next]!)! }
      leave(span.start)
      if (span.end > call.start && open.length < deepestBlock) open.push(blockOf(span, open.at(-1), input))
    }
    leave(call.start)
    const { scope, statements, shared } = open.at(-1)!
    const body = source.plain.slice(call.start, call.end)
    const frame = callFrame(statementAt(statements, call.start), scope, { source, calls })
    return [frame, ...named(body, scope), shared].filter((text) => text !== '').join('\n')
  }
}

function blockOf(span: Span, parent: Block | undefined, input: Input): Block {
  const { source, calls } = input
  const statements = statementsOf(span, source)
  const scope: Scope = { parent: parent?.scope, declared: new Map() }
  const own = parent ? [blockFrame(span, parent, input)] : []
  for (const { start, end } of statements) {
    if ((calls[firstFrom(calls, start)]?.start ?? end) < end) continue
    const text = source.plain.slice(start, end)
    if (!declare(scope, text) && (parent || hook.test(text))) own.push(text)
  }
  const all = own.filter((text) => text !== '').join('\n')
  const shared = [all, ...named(all, scope), parent?.shared ?? ''].filter((text) => text !== '').join('\n')
  return { ...span, scope, statements, shared: short(shared) }
}

/** What is around all test calls of a statement: `for (const row of rows)`. */
function callFrame(statement: Statement, scope: Scope, { source, calls }: Input): string {
  if (statement.frame !== undefined) return statement.frame
  const text = without(
    statement,
    calls.slice(firstFrom(calls, statement.start), firstFrom(calls, statement.end)),
    source,
  )
  const plain = /^(?:await|return|void) ?$/.test(text) ? '' : text
  statement.frame = short([plain, ...named(plain, scope)].join('\n'))
  return statement.frame
}

/** What is around a block of a statement: `rows.forEach((row) => …)`, `describe.each(rows)('title', …)`. */
function blockFrame(block: Span, parent: Block, { source, calls }: Input): string {
  const statement = statementAt(parent.statements, block.start)
  if (++statement.blocks > mostBlocks) return ''
  const others = calls
    .slice(firstFrom(calls, statement.start), firstFrom(calls, statement.end))
    .filter(({ start, end }) => start > block.start || end < block.end)
  const cuts = [...others, block].sort((a, b) => a.start - b.start)
  return without(statement, cuts, source).replace(/\b(?:async|function)\b ?|=>/g, '')
}

function without(span: Span, cuts: readonly Span[], { plain }: Source): string {
  const parts: string[] = []
  let at = span.start
  for (const { start, end } of cuts) {
    if (end <= at) continue
    parts.push(plain.slice(at, start))
    at = end
  }
  return [...parts, plain.slice(at, Math.max(at, span.end))].join('')
}

/** Statements end at a semicolon, or at a line's end where neither side asks for more. */
function statementsOf({ start, end }: Span, { text, marks }: Source): Statement[] {
  const found: Statement[] = []
  let from = start + 1
  const last = start < 0 ? end : Math.max(from, text[end - 1] === '}' ? end - 1 : end)
  for (const at of [...(marks.separators.get(start) ?? []), last]) {
    if (at < last && text[at] === '\n' && isContinued(text, at)) continue
    found.push({ start: from, end: at, blocks: 0 })
    from = Math.min(at + 1, last)
  }
  return found
}

function isContinued(text: string, newline: number): boolean {
  return (
    /(?:[=+*%&|?:,<.!~^]|=>)$/.test(text.slice(Math.max(0, newline - 2), newline)) ||
    '.?:+*%&|=,)]'.includes(text[newline + 1] ?? ')')
  )
}

function statementAt(statements: readonly Statement[], place: number): Statement {
  return statements[Math.max(0, firstFrom(statements, place + 1) - 1)]!
}

/** Index of the first that begins at a place or after it. */
function firstFrom(spans: readonly Span[], place: number): number {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (spans[middle]!.start < place) low = middle + 1
    else high = middle
  }
  return low
}
