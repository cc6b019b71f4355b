import type { TestCase } from '@r2e/spec'
import { type LogicalLine, logicalLines } from './logical-lines.ts'

interface Scope {
  readonly indent: number
  readonly className: string
  /** Decorators of the class, and its `pytestmark`. */
  readonly marks: string
  /** What the class assigns in its body, by name. */
  readonly constants: ReadonlyMap<string, string>
}

/**
 * The test functions and methods of a module. The text of a case holds its decorators (a parameter row is part of the
 * case), its body without docstrings, and the constants of its classes and of the module that it names (a table is part
 * of the case).
 */
export function pythonTestCases(source: string): readonly TestCase[] {
  const lines = logicalLines(source)
  const constants = constantsOf(lines, 0)
  const cases: TestCase[] = []
  let scopes: Scope[] = []
  let decorators: LogicalLine[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!
    scopes = scopes.filter((scope) => line.indent > scope.indent)
    if (line.text.startsWith('@')) {
      decorators.push(line)
      continue
    }
    const header = /^(?:async )?(def|class) ([^\s(:[]+)/.exec(line.text)
    const above = decorators.map((decorator) => decorator.text).join('\n')
    decorators = []
    if (header?.[1] === 'class') {
      scopes.push(classScope(lines, at, { className: header[2]!, decorators: above }))
    } else if (header) {
      const end = blockEnd(lines, at)
      if (header[2]!.startsWith('test')) {
        const body = lines.slice(at, end).filter((inner) => !inner.onlyStrings)
        const text = [...scopes.map((scope) => scope.marks), above, ...body.map((inner) => inner.text)]
        const name = [...scopes.map((scope) => scope.className), header[2]!].join('::')
        const nearest = [...scopes.map((scope) => scope.constants).reverse(), constants]
        cases.push({ name, text: nearest.reduce(withConstants, text.filter(Boolean).join('\n')) })
      }
      at = end - 1
    }
  }
  return cases
}

/** The first line after `at` that is not deeper. */
function blockEnd(lines: readonly LogicalLine[], at: number): number {
  let end = at + 1
  while (end < lines.length && lines[end]!.indent > lines[at]!.indent) end += 1
  return end
}

function classScope(
  lines: readonly LogicalLine[],
  at: number,
  { className, decorators }: { readonly className: string; readonly decorators: string },
): Scope {
  const body = lines.slice(at + 1, blockEnd(lines, at))
  const constants = constantsOf(body, body[0]?.indent ?? 0)
  const marks = [decorators, constants.get('pytestmark')].filter(Boolean).join('\n')
  return { indent: lines[at]!.indent, className, marks, constants }
}

/** The assignments that stand at one indentation. */
function constantsOf(lines: readonly LogicalLine[], indent: number): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const line of lines) {
    const name = line.indent === indent ? /^([^\W\d]\w*) ?(?::[^=]*)?(?:\+)?= ?(?!=)/u.exec(line.text)?.[1] : undefined
    if (name !== undefined) found.set(name, found.has(name) ? `${found.get(name)}\n${line.text}` : line.text)
  }
  return found
}

function withConstants(text: string, constants: ReadonlyMap<string, string>): string {
  if (constants.size === 0) return text
  const named = new Set(text.match(/[^\W\d]\w*/gu))
  const used = [...constants].filter(([name]) => named.has(name)).map(([, line]) => line)
  return [text, ...used].join('\n')
}
