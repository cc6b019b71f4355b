import type { TestCase } from '@r2e/spec'
import { cleanSource, tokensOf } from './clean-source.ts'
import { marksOf } from './marks.ts'
import { plainText } from './plain-text.ts'
import { surroundings } from './surroundings.ts'
import { type Source, type TestCall, testCalls } from './test-calls.ts'

/** No file nests its tests deeper. */
const deepest = 20

/**
 * The test calls of a file, named as ids end (`outer > title`; a title with parts to fill in as it is written). The text
 * of a case holds what it depends on around it, its table above all, and nothing that only a formatter changes.
 */
export function javascriptTestCases(source: string): readonly TestCase[] {
  const parsed = parse(cleanSource(source))
  const calls = [...testCalls(parsed)]
  const around = surroundings({ source: parsed, calls })
  const open: TestCall[] = []
  const seen = new Map<string, number>()
  const found: TestCase[] = []
  for (const call of calls) {
    while (open.length > 0 && open.at(-1)!.end <= call.start) open.pop()
    if (open.length >= deepest) continue
    if (!call.isGroup) {
      const name = [...open, call].map(({ title }) => title.replaceAll(' > ', ' \\> ')).join(' > ')
      const count = (seen.get(name) ?? 0) + 1
      seen.set(name, count)
      const text = `${parsed.plain.slice(call.start, call.end)}\n${around(call)}`
      found.push({ name: count === 1 ? name : `${name} #${count}`, text })
    }
    open.push(call)
  }
  return found
}

function parse(text: string): Source {
  const tokens = [...tokensOf(text)]
  return { text, plain: plainText(text, tokens), marks: marksOf(text, tokens) }
}
