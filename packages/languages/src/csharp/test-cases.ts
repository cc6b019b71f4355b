import type { TestCase } from '@r2e/spec'
import type { Member } from '../braces/members.ts'
import { csharpTypes } from './syntax.ts'

/** Attributes of xUnit, NUnit, MSTest and their usual extensions that make a method a test. */
const testMark = /^(?:\w*Fact|\w*Theory|Test|TestCase|TestCaseSource|TestMethod|DataTestMethod|Property)$/

/** Test methods, named `Ns.Class.Method` and `Ns.Outer+Inner.Method`; the text holds the members of the class that the method names. */
export function csharpTestCases(source: string): readonly TestCase[] {
  return csharpTypes(source).flatMap(({ namespace, type }) => casesOf(type, namespace === '' ? '' : `${namespace}.`))
}

function casesOf(type: Member, outer: string): TestCase[] {
  if (type.kind === undefined) return []
  const name = outer + type.name
  const tests = type.members.filter(
    ({ kind, marks }) => kind === undefined && marks.some((mark) => testMark.test(mark)),
  )
  const others = type.members.filter(
    (member) => member.kind === undefined && member.name !== '' && !tests.includes(member),
  )
  return [
    ...tests.map((test) => ({ name: `${name}.${test.name}`, text: [test.text, ...named(test, others)].join('\n') })),
    ...type.members.flatMap((member) => casesOf(member, `${name}+`)),
  ]
}

function named(test: Member, others: readonly Member[]): readonly string[] {
  const words = new Set(test.text.match(/\w+/g))
  return [...new Set(others.filter((member) => words.has(member.name)).map(({ text }) => text))]
}
