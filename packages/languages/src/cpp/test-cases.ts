import type { TestCase } from '@r2e/spec'
import { baseName } from '../path.ts'
import { bracketEnds } from './clean-source.ts'
import { readSource, type Source } from './read-source.ts'
import { isCode, isProgram } from './roles.ts'
import { topLevelVariables } from './variables.ts'

/** A macro with `TEST` in its name, or one of Catch2's and doctest's other words for a case. */
const macro = /\b(?:[A-Z][A-Z0-9_]*_)?(?:TEST|SCENARIO)(?:_[A-Z0-9_]*)?[ \n]*\(/g
/** Macros that hold cases are none themselves. */
const container = /TEST_(?:SUITE|GROUP)/
/** What test libraries of C are given: `RUN_TEST(f)`, `cmocka_unit_test(f)`, `tcase_add_test(c, f)`. */
const registered =
  /\b(?:RUN_TEST|RUN|cmocka_unit_test\w*|tcase_add_\w*test|MU_RUN_TEST)[ \n]*\((?:[^(),;]*,)?[ \n]*(\w+)/g
const definition = /^(?:static |inline |extern )*(?:unsigned )?\w+[ *]+(\w+)[ \n]*\(([^(){};]*)\)[ \n]*\{/gm

/**
 * Cases of GoogleTest (`Suite.Name`), Catch2 and doctest (their titles), Boost.Test, and test functions of C. A test
 * program without any is one case, named as its file; in a build description those are cases that it registers. The text
 * of a case holds the variables of the file that it names: a table is part of the case.
 */
export function cppTestCases(path: string, source: string): readonly TestCase[] {
  if (baseName(path) === 'CMakeLists.txt')
    return registrations(source, /\badd_test\s*\(\s*(?:NAME\s+)?("[^"\n]*"|[^\s()]+)/gi)
  if (baseName(path) === 'meson.build') return registrations(source, /\btest\s*\(\s*'([^'\n]*)'/g)
  if (!isCode(path)) return []
  const cleaned = readSource(source)
  const cases = [...macroCases(cleaned), ...functionCases(cleaned)]
  const variables = topLevelVariables(cleaned)
  if (cases.length > 0) return cases.map(({ name, text }) => ({ name, text: withVariables(text, variables) }))
  return !isProgram(path) ? [] : [{ name: stemOf(path), text: cleaned.text }]
}

function withVariables(text: string, variables: ReadonlyMap<string, string>): string {
  const words = new Set(text.match(/[A-Za-z_]\w*/g))
  const used = [...words].flatMap((word) => variables.get(word) ?? [])
  return [text, ...new Set(used)].join('\n')
}

/** `tests/parse_number.c` → `parse_number`. */
export function stemOf(path: string): string {
  return baseName(path).replace(/\.[^.]*$/, '')
}

function registrations(source: string, pattern: RegExp): TestCase[] {
  const text = source.replace(/^[ \t]*#.*$/gm, '')
  const endOf = bracketEnds(text)
  return [...text.matchAll(pattern)].map((match) => {
    const open = text.indexOf('(', match.index)
    return { name: match[1]!.replace(/^"|"$/g, ''), text: text.slice(match.index, endOf(open)) }
  })
}

/** A name longer than this is none that anybody wrote. */
const longest = 2000

function* macroCases({ text, masked, endOf }: Source): Generator<TestCase> {
  for (const match of masked.matchAll(macro)) {
    const open = match.index + match[0].length - 1
    const close = endOf(open)
    const body = /^[ \n]*(?=\{)/.exec(masked.slice(close, close + 4))
    const isRows = match[0].startsWith('INSTANTIATE_')
    if (!body && !isRows) continue
    const name = nameOf(match[0], splitArguments(text.slice(open + 1, Math.min(close - 1, open + longest))))
    if (name === undefined || (!isRows && container.test(match[0]))) continue
    yield { name, text: text.slice(match.index, body ? endOf(close + body[0].length) : close) }
  }
}

/** By a title among the first two arguments, else by one or two identifiers. */
function nameOf(word: string, [first = '', second = '']: readonly string[]): string | undefined {
  const title = [first, second].map(literal).find((text) => text !== undefined)
  if (title !== undefined) return word.startsWith('SCENARIO') ? `Scenario: ${title}` : title
  const names = [first, second].filter((text) => /^[\w:<>]+$/.test(text))
  return names.length === 0 ? undefined : names.join(word.startsWith('INSTANTIATE_') ? '/' : '.')
}

function literal(text: string): string | undefined {
  const match = /^(?:u8|[uUL])?"((?:[^"\\]|\\[\s\S])*)"/.exec(text)
  return match ? match[1]!.replace(/\\(["\\'?])/g, '$1') : undefined
}

/** The first arguments of a call; commas in literals and brackets do not split. */
function splitArguments(text: string): string[] {
  const parts: string[] = []
  let from = 0
  let depth = 0
  for (let at = 0; at < text.length && parts.length < 2; at++) {
    const char = text[at]!
    if (char === '"') at = quoteEnd(text, at)
    else if (char === '(' || char === '<' || char === '{') depth += 1
    else if (char === ')' || char === '>' || char === '}') depth -= 1
    else if (char === ',' && depth === 0) {
      parts.push(text.slice(from, at).trim())
      from = at + 1
    }
  }
  if (parts.length < 2) parts.push(text.slice(from).trim())
  return parts
}

function quoteEnd(text: string, at: number): number {
  for (let i = at + 1; i < text.length; i++) {
    if (text[i] === '\\') i += 1
    else if (text[i] === '"') return i
  }
  return text.length
}

/** Functions named as tests, and those that are given to a test library by name. */
function* functionCases({ text, masked, endOf }: Source): Generator<TestCase> {
  const given = new Set([...masked.matchAll(registered)].map((match) => match[1]!))
  for (const match of masked.matchAll(definition)) {
    const name = match[1]!
    if (!(given.has(name) || /^test|_tests?$/i.test(name))) continue
    yield { name, text: text.slice(match.index, endOf(match.index + match[0].length - 1)) }
  }
}
