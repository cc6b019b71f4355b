import type { TestCase } from '@r2e/spec'
import { type LogicalLine, logicalLines } from './logical-lines.ts'

/** A `describe`, `context`, class or module that is open. */
interface Group {
  readonly indent: number
  readonly title: string
  /** What it prepares for its cases: blocks that always run, and definitions that a case may name. */
  readonly always: string[]
  readonly named: Map<string, string>
}

const groupLine =
  /^(?:(?:RSpec|Minitest|Kernel)\.)?(?:[fx]?describe|[fx]?context|[fx]?feature|shared_examples(?:_for)?|shared_context|example_group|class|module)\b\s*\(?\s*(.*)$/
const caseLine = /^(?:[fx]?(?:it|specify|example|scenario)|its|test|should|pending|skip)\b(?!\s*[=.])\s*\(?\s*(.*)$/
const includeLine = /^(?:it_behaves_like|it_should_behave_like|include_examples|include_context)\b\s*\(?\s*(.*)$/
const methodLine = /^def (?:self\.)?([\w?!=]+)/
/** Opens a loop, a condition or one of its branches: what stands inside may be examples. */
const controlLine = /^(?:if|elsif|else|unless|case|when|in|while|until|for|begin|rescue|ensure)\b|\bdo(?: ?\|[^|]*\|)?$/
/** Blocks that hold code of an example, whatever it looks like. */
const codeLine =
  /^(?:\w+\.)?(?:(?:prepend_|append_)?(?:before|after|around)|let!?|subject!?|setup|teardown|def|private|protected)\b/
const definition = /^(?:let!?|subject!?|def|attr_\w+)\b\s*\(?\s*(?:self\.)?:?([\w?!]+)|^([A-Z]\w*)\s*=/

/**
 * The examples and test methods of a file. The text of a case holds its body, the titles around it, the set-up that
 * always runs there and the definitions that it names; a loop or a condition around it is such set-up. Blocks are told by
 * indentation.
 */
export function rubyTestCases(source: string): readonly TestCase[] {
  const lines = logicalLines(source)
  const cases: TestCase[] = []
  let groups: Group[] = [newGroup(-1, '')]
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!
    groups = groups.filter((group) => line.indent > group.indent)
    const title = groupLine.exec(line.text)?.[1]
    if (title !== undefined && opensBlock(lines, at)) {
      groups.push(newGroup(line.indent, titleOf(title)))
      continue
    }
    const end = blockEnd(lines, at)
    if (holdsCases(lines, at, end)) {
      groups.push({ ...newGroup(line.indent, ''), always: [line.text] })
      continue
    }
    const text = lines.slice(at, end).map((inner) => inner.text)
    const name = caseName(line.text)
    if (name !== undefined)
      cases.push({
        name: [...groups.map((group) => group.title), name].filter(Boolean).join(' '),
        text: textOf(text, groups),
      })
    else prepare(groups.at(-1)!, text.join('\n'))
    at = end - 1
  }
  return cases
}

function newGroup(indent: number, title: string): Group {
  return { indent, title, always: [], named: new Map() }
}

function caseName(line: string): string | undefined {
  const method = methodLine.exec(line)?.[1]
  if (method !== undefined) return /^test/.test(method) ? method : undefined
  const match = caseLine.exec(line) ?? includeLine.exec(line)
  return match ? titleOf(match[1]!) : undefined
}

/** The words of a title; of a case without one its code. */
function titleOf(rest: string): string {
  const quoted = /^(["'])((?:\\.|(?!\1)[^\\])*)\1/s.exec(rest)
  return quoted ? quoted[2]! : rest.replace(/^(?:do|\{) ?| ?(?:do(?: \|[^|]*\|)?|\})$/g, '').replace(/[,)]\s*$/, '')
}

function opensBlock(lines: readonly LogicalLine[], at: number): boolean {
  return (lines[at + 1]?.indent ?? 0) > lines[at]!.indent
}

/** Whether a loop or a condition has examples or groups of them inside. */
function holdsCases(lines: readonly LogicalLine[], at: number, end: number): boolean {
  const { text } = lines[at]!
  if (caseName(text) !== undefined || codeLine.test(text) || !controlLine.test(text)) return false
  for (let inner = at + 1; inner < end; inner++) {
    const line = lines[inner]!.text
    if (caseName(line) !== undefined || (groupLine.test(line) && opensBlock(lines, inner))) return true
  }
  return false
}

/** Behind the block of a line: deeper lines, and the `end` or `}` on its own column. */
function blockEnd(lines: readonly LogicalLine[], at: number): number {
  let end = at + 1
  while (end < lines.length && lines[end]!.indent > lines[at]!.indent) end += 1
  const last = lines[end]
  return last && end > at + 1 && last.indent === lines[at]!.indent && /^(?:end|\}|\])/.test(last.text) ? end + 1 : end
}

function prepare(group: Group, text: string): void {
  if (/^(?:end|[}\])]+)$/.test(text)) return
  const [, name, constant] = definition.exec(text) ?? []
  const key = name ?? constant
  if (key === undefined || /^(?:setup|teardown)$/.test(key)) group.always.push(text)
  else group.named.set(key, `${group.named.get(key) ?? ''}${text}\n`)
}

function textOf(body: readonly string[], groups: readonly Group[]): string {
  const text = [...groups.flatMap(({ title, always }) => [title, ...always]), ...body].join('\n')
  const words = new Set(text.match(/[A-Za-z_]\w*[?!]?/g))
  const used = groups.flatMap(({ named }) => [...named].filter(([name]) => words.has(name)).map(([, found]) => found))
  return [text, ...used].join('\n')
}
