import type { TestCase } from '@r2e/spec'
import type { Member } from '../braces/members.ts'
import { jvmMembers } from './syntax.ts'

/** Annotations of JUnit 4 and 5, TestNG, jqwik, kotlin.test and the like that make a method a test. */
const testMark =
  /^(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|CartesianTest|RetryingTest|Theory|Property|Example)$/

/**
 * Test methods, named `Class::method` and `Outer$Inner::method`; the text holds the members of the class that the method
 * names, since a table of rows is part of the case. A class that is a specification by itself (Kotest) is one case.
 */
export function jvmTestCases(path: string, source: string): readonly TestCase[] {
  return jvmMembers(path, source).flatMap((member) => casesOf(member, ''))
}

function casesOf(member: Member, outer: string): TestCase[] {
  if (member.kind === undefined || member.kind === 'package') return []
  const name = outer + member.name
  const inner = member.members.flatMap((below) => casesOf(below, `${name}$`))
  const tests = member.members.filter((below) => isTest(below, member))
  const others = member.members.filter(
    (below) => below.kind === undefined && below.name !== '' && !tests.includes(below),
  )
  const own = tests.map((test) => ({
    name: `${name}::${test.name}`,
    text: [test.text, ...named(test, others)].join('\n'),
  }))
  if (own.length + inner.length === 0 && isSpecification(member)) return [{ name, text: member.text }]
  return [...own, ...inner]
}

function isTest(member: Member, type: Member): boolean {
  if (member.kind !== undefined || member.name === '') return false
  if (member.marks.some((mark) => testMark.test(mark))) return true
  const bare = member.header.slice(0, 500)
  if (/\bextends [\w.]*TestCase\b/.test(type.header)) return /^test/.test(member.name) && /\bvoid\b/.test(bare)
  if (/\bextends [\w.]*Specification\b/.test(type.header)) return /\bdef ["'\w]/.test(bare) && hasBlocks(member.text)
  return type.marks.includes('Test') && /\bpublic\b.*\bvoid\b/s.test(bare)
}

/** A feature of Spock holds labelled blocks. */
function hasBlocks(text: string): boolean {
  return /^ ?(?:expect|then|when|given|where)\b ?:/m.test(text)
}

function isSpecification({ header }: Member): boolean {
  return /:\s*\w*Spec\b/.test(header)
}

function named(test: Member, others: readonly Member[]): readonly string[] {
  const words = new Set(test.text.match(/[\w$]+/g))
  return [...new Set(others.filter(({ name }) => words.has(name)).map(({ text }) => text))]
}
