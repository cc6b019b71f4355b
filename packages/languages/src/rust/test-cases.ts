import type { TestCase } from '@r2e/spec'
import { bodyItems, type RustItem, rustItems } from './items.ts'
import { rustRole } from './roles.ts'
import { isTestFunction, rustTestPieces } from './test-code.ts'
import { rustTokens } from './tokens.ts'

/**
 * Test functions by their path of modules, and calls of macros by the first name in them, since many suites make their
 * tests so; in a source file only calls inside its test code. The text holds the constants of the file that a case
 * names: a table is part of it.
 */
export function rustTestCases(path: string, text: string): readonly TestCase[] {
  const pieces = rustRole(path) === 'test' ? undefined : new Set(rustTestPieces(text).map(({ start }) => start))
  const constants = new Map<string, string>()
  const found: { name: string; item: RustItem }[] = []
  const visit = (items: readonly RustItem[], prefix: string, within: boolean) => {
    for (const item of items) {
      const { kind, name } = item
      const testing = within || pieces === undefined || pieces.has(item.start)
      if (kind === 'const' || kind === 'static') constants.set(name, plain(text, item))
      else if (kind === 'mod') visit(bodyItems(text, item), `${prefix}${name}::`, testing)
      else if (isTestFunction(item)) found.push({ name: prefix + name, item })
      else if (kind === 'macro' && testing) visitMacro(item, prefix)
    }
  }
  const visitMacro = (item: RustItem, prefix: string) => {
    const inner = bodyItems(text, item).filter(
      (part) => isTestFunction(part) || (item.name === 'quickcheck' && part.kind === 'fn'),
    )
    if (inner.length > 0) found.push(...inner.map((part) => ({ name: prefix + part.name, item: part })))
    else {
      const name = /^[^!]*![^\w]*(\w+)/.exec(plain(text, item))?.[1]
      if (name !== undefined) found.push({ name: prefix + name, item })
    }
  }
  visit(rustItems(text), '', false)
  return found.map(({ name, item }) => {
    const own = plain(text, item)
    const used = [...new Set(own.match(/\w+/g))].map((word) => constants.get(word)).filter((part) => part !== undefined)
    return { name, text: [own, ...used].join('\n') }
  })
}

/** The tokens of an item with one blank between two, without comments. */
function plain(text: string, { start, end }: RustItem): string {
  const code = text.slice(start, end)
  return rustTokens(code)
    .filter(({ kind }) => kind !== 'doc')
    .map((token) => code.slice(token.start, token.end))
    .join(' ')
}
