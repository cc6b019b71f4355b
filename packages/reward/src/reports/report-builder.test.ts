import { STATUS_ORDER, type TestStatus } from '@r2e/spec'
import { expect, it } from 'vitest'
import { reportBuilder } from './report-builder.ts'

type Test = readonly [id: string, status: TestStatus]

const NAMES = ['m', 'm #2', 'm #2 #2', 'm #3', 'n', '__proto__']
let seed = 20261130
const random = (below: number) => {
  seed = (seed * 1103515245 + 12345) & 0x7fffffff
  return seed % below
}
const named = (tests: readonly Test[]) => {
  const report = reportBuilder()
  for (const [id, status] of tests) report.addNext(id, status)
  return report.report().tests
}
const someTests = (): Test[] =>
  Array.from({ length: 1 + random(8) }, () => [NAMES[random(NAMES.length)]!, STATUS_ORDER[random(6)]!] as const)

it('names tests of one id the same in any order, and loses none [L13]', () => {
  for (let round = 0; round < 3000; round++) {
    const tests = someTests()
    const found = named(tests)
    expect(Object.keys(found)).toHaveLength(tests.length)
    expect(named(tests.toReversed())).toEqual(found)
  }
})

it('lets no test that is added make another look better', () => {
  for (let round = 0; round < 3000; round++) {
    const tests = someTests()
    const before = named(tests)
    const after = named([[NAMES[random(NAMES.length)]!, 'PASSED'], ...tests])
    for (const [id, status] of Object.entries(before))
      expect(STATUS_ORDER.indexOf(after[id]!)).toBeLessThanOrEqual(STATUS_ORDER.indexOf(status))
  }
})

it('takes an ordinal of any height for one test more', () => {
  const report = reportBuilder()
  report.add('a', 'PASSED')
  report.add('a', 'FAILED', 1_000_000_000)
  report.add('a', 'SKIPPED', 4)
  const begin = performance.now()
  expect(report.report().tests).toEqual({ a: 'FAILED', 'a #2': 'SKIPPED', 'a #3': 'PASSED' })
  expect(performance.now() - begin).toBeLessThan(1000)
})
