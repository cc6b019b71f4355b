import type { TestCase } from '@r2e/spec'
import { cleanPhpSource, literalEnd } from './clean-source.ts'

/** A member of a class: what stands before its body, and the body. */
interface Member {
  readonly head: string
  readonly text: string
}

const className = /\b(?:class|trait) ([A-Za-z_]\w*)/
const functionName = /\bfunction &? ?([A-Za-z_]\w*)/
const isMarked = /@test\b|#\[[^\]]*\bTest\b/
const fixtures = /^(?:setUp|tearDown|setUpBeforeClass|tearDownAfterClass)$/

/**
 * The test methods of a file, named `Ns\Class::method`. The text of a case holds its annotations, attributes and body,
 * the set-up of its class, and the providers, helpers and constants that it names.
 */
export function phpTestCases(source: string): readonly TestCase[] {
  const text = cleanPhpSource(source)
  const space = /\bnamespace ([\w\\]+) ?[;{]/.exec(text)?.[1]
  return classBodies(text).flatMap(({ name, body }) => {
    const members = split(body)
    const named = members.map((member) => ({ ...member, name: functionName.exec(member.head)?.[1] }))
    const setUp = named.filter((member) => member.name !== undefined && fixtures.test(member.name))
    return named.flatMap((member) => {
      if (member.name === undefined || !(/^test/i.test(member.name) || isMarked.test(member.head))) return []
      const words = new Set(member.text.match(/\w+/g))
      const used = named.filter((other) => other !== member && memberNames(other).some((word) => words.has(word)))
      const all = [member, ...new Set([...setUp, ...used])]
      const full = space === undefined ? name : `${space}\\${name}`
      return [{ name: `${full}::${member.name}`, text: all.map((part) => part.text).join('\n') }]
    })
  })
}

function memberNames({ head, name }: Member & { readonly name: string | undefined }): string[] {
  if (name !== undefined) return /^test/i.test(name) ? [] : [name]
  return [...head.matchAll(/\$(\w+)|\bconst (?:\w+ )?(\w+) ?=/g)].map((match) => (match[1] ?? match[2])!)
}

function classBodies(text: string): { name: string; body: string }[] {
  const found: { name: string; body: string }[] = []
  for (const { head, text: whole } of split(text)) {
    const name = className.exec(head)?.[1]
    if (name !== undefined) found.push({ name, body: whole.slice(head.length + 1, -1) })
    else if (/\bnamespace\b/.test(head) && whole.endsWith('}'))
      found.push(...classBodies(whole.slice(head.length + 1, -1)))
  }
  return found
}

/** Splits at `;` and `}` outside every bracket; the head of a piece ends at its brace. */
function split(text: string): Member[] {
  const pieces: Member[] = []
  let start = 0
  let depth = 0
  let brace = -1
  for (let at = 0; at < text.length; ) {
    const char = text[at]!
    if (text.startsWith('/*', at)) {
      const end = text.indexOf('*/', at)
      at = end < 0 ? text.length : end + 2
      continue
    }
    if (char === '"' || char === "'" || char === '`' || text.startsWith('<<<', at)) {
      at = literalEnd(text, at)
      continue
    }
    if ('([{'.includes(char)) {
      if (char === '{' && depth === 0 && brace < 0) brace = at
      depth += 1
    } else if (')]}'.includes(char)) depth = Math.max(0, depth - 1)
    at += 1
    if (depth > 0 || !(char === ';' || char === '}')) continue
    const end = brace < 0 ? at : brace
    pieces.push({ head: text.slice(start, end), text: text.slice(start, at) })
    start = at
    brace = -1
  }
  return pieces
}
