import type { TestReport, TestStatus } from '@r2e/spec'
import { describe, expect, it } from 'vitest'
import { type Classes, classify, type Observations } from './classify.ts'

type Tests = Readonly<Record<string, TestStatus>>

function report(tests: Tests, extra: Partial<TestReport> = {}): TestReport {
  const base = { schema: 'r2e.tests/1', outcome: 'completed', parse_status: 'ok' } as const
  return { ...base, tests, unloaded: [], exit_codes: [0], cpu_sec: 1, wall_sec: 1, ...extra }
}

function classes(
  base: TestReport | undefined,
  broken: TestReport | TestReport[],
  solved: TestReport | TestReport[],
  extra: Partial<Observations> = {},
): Classes {
  const input = {
    base,
    broken: [broken].flat(),
    solved: [solved].flat(),
    inHidden: (id: string) => id.startsWith('hidden'),
    ...extra,
  }
  const found = classify(input)
  if (found.kind !== 'classes') throw new Error(JSON.stringify(found))
  return found
}

const one = (status: TestStatus | 'ABSENT'): Tests => (status === 'ABSENT' ? {} : { 'a.py::t': status })

describe('one test, its status in broken and in solved', () => {
  const rows: [TestStatus | 'ABSENT', TestStatus | 'ABSENT', string][] = [
    ['FAILED', 'PASSED', 'fail-to-pass, fail'],
    ['ERROR', 'PASSED', 'fail-to-pass, error'],
    ['ABSENT', 'PASSED', 'fail-to-pass, absent'],
    ['PASSED', 'PASSED', 'pass-to-pass'],
    ['SKIPPED', 'PASSED', 'neither'],
    ['XFAIL', 'PASSED', 'neither'],
    ['XPASS', 'PASSED', 'neither'],
    ['FAILED', 'FAILED', 'neither'],
    ['FAILED', 'SKIPPED', 'neither'],
    ['FAILED', 'XFAIL', 'neither'],
    ['FAILED', 'ABSENT', 'neither'],
    ['PASSED', 'FAILED', 'regression'],
    ['PASSED', 'ERROR', 'regression'],
    ['PASSED', 'ABSENT', 'regression'],
    ['PASSED', 'SKIPPED', 'regression'],
  ]
  for (const [broken, solved, wanted] of rows)
    it(`${broken} then ${solved} is ${wanted} [B6 G2]`, () => {
      const found = classes(report({}), report(one(broken)), report(one(solved)))
      const origin = found.origins['a.py::t']
      const names = [
        found.failToPass.length > 0 && `fail-to-pass, ${origin}`,
        found.passToPass.length > 0 && 'pass-to-pass',
        found.regressions.length > 0 && 'regression',
      ]
      expect(names.filter(Boolean).join() || 'neither').toBe(wanted)
    })
})

describe('a test in a source file', () => {
  const inSource = (id: string) => id.includes('/doc:')
  const found = (broken: Tests, solved: Tests) =>
    classes(report({}), report({ ...broken, 'a/lib::t': 'FAILED' }), report({ ...solved, 'a/lib::t': 'PASSED' }), {
      inSource,
    })

  it('is never what a solution is asked for, and no regression where the solution removes it', () => {
    const id = 'a/doc:src/lib.rs::f'
    const nothing = { failToPass: ['a/lib::t'], passToPass: [], regressions: [] }
    expect(found({}, { [id]: 'PASSED' })).toMatchObject(nothing)
    expect(found({ [id]: 'FAILED' }, { [id]: 'PASSED' })).toMatchObject(nothing)
    expect(found({ [id]: 'PASSED' }, {})).toMatchObject(nothing)
    expect(found({ [id]: 'PASSED' }, { [id]: 'PASSED' })).toMatchObject({ passToPass: [id] })
    expect(found({ [id]: 'PASSED' }, { [id]: 'FAILED' })).toMatchObject({ regressions: [id] })
  })

  it('is held by the doc tests of its crate [R8]', () => {
    const id = 'a/doc:src/lib.rs::f'
    const base = report({ [id]: 'PASSED' })
    const broken = report({ 'a/test:it::t': 'FAILED' }, { unloaded: ['a/doc'] })
    const solved = report({ [id]: 'PASSED', 'a/test:it::t': 'PASSED' })
    expect(classes(base, broken, solved).passToPass).toEqual([id])
  })
})

describe('a test that is absent in broken', () => {
  const solved = report({ 'pkg::TestOld': 'PASSED', 'pkg::TestNew': 'PASSED', 'hidden::TestHidden': 'PASSED' })
  const base = report({ 'pkg::TestOld': 'PASSED', 'hidden::TestHidden': 'PASSED' })

  it('is pass-to-pass where its package did not load and it passed in base [B19]', () => {
    const broken = report({}, { unloaded: ['pkg', 'hidden'] })
    expect(classes(base, broken, solved)).toMatchObject({
      failToPass: ['hidden::TestHidden', 'pkg::TestNew'],
      passToPass: ['pkg::TestOld'],
      origins: { 'hidden::TestHidden': 'absent', 'pkg::TestNew': 'absent' },
    })
  })
  it('is in neither list where it passed in base and its package did load [B19]', () => {
    expect(classes(base, report({}, { unloaded: ['pk', 'other'] }), solved)).toMatchObject({
      passToPass: [],
      failToPass: ['hidden::TestHidden', 'pkg::TestNew'],
    })
  })
  it('does not turn a thousand ids of one package into fail-to-pass [B19]', () => {
    const ids = Array.from({ length: 1000 }, (_, i) => [`pkg::Test${i}`, 'PASSED'] as const)
    const all = Object.fromEntries(ids)
    const found = classes(
      report(all),
      report({}, { unloaded: ['pkg'] }),
      report({ ...all, 'pkg::TestNew': 'PASSED' }),
      { inHidden: (id) => id.endsWith('New') },
    )
    expect([found.failToPass, found.passToPass.length]).toEqual([['pkg::TestNew'], 1000])
  })
  it('is fail-to-pass where no base was seen', () => {
    expect(classes(undefined, report({}), report(one('PASSED'))).failToPass).toEqual(['a.py::t'])
  })
  it('counts as skipped where its file, module or class skips itself', () => {
    const found = classes(
      report({}),
      report({ 'a.py': 'SKIPPED', 'm.C': 'SKIPPED' }),
      report({ 'a.py::t': 'PASSED', 'm.C.t': 'PASSED' }),
    )
    expect(found).toMatchObject({ failToPass: [], passToPass: [] })
  })
})

describe('runs that disagree', () => {
  it('quarantine the test in both lists [H1]', () => {
    const found = classes(report({}), [report(one('FAILED')), report(one('ERROR'))], report(one('PASSED')))
    expect(found).toMatchObject({ quarantined: ['a.py::t'], failToPass: [] })
    expect(classes(report({}), report(one('PASSED')), [report(one('PASSED')), report(one('ABSENT'))])).toMatchObject({
      quarantined: ['a.py::t'],
      passToPass: [],
      regressions: [],
    })
  })
  it('leave the others alone', () => {
    const runs = [report({ a: 'PASSED', b: 'PASSED' }), report({ a: 'PASSED', b: 'FAILED' })]
    expect(classes(report({}), runs, report({ a: 'PASSED', b: 'PASSED' }))).toMatchObject({
      quarantined: ['b'],
      passToPass: ['a'],
    })
  })
})

it('counts no regression of a test that the hidden files rewrite', () => {
  expect(classes(report({}), report({ 'hidden::T': 'PASSED' }), report({ 'hidden::T': 'FAILED' })).regressions).toEqual(
    [],
  )
})

it('takes fail-to-pass tests only from the wanted origins', () => {
  const broken = report({ f: 'FAILED', e: 'ERROR' })
  const solved = report({ f: 'PASSED', e: 'PASSED', a: 'PASSED' })
  expect(classes(report({}), broken, solved, { failToPassFrom: ['fail'] }).failToPass).toEqual(['f'])
})

it('keeps ids that mean something to JavaScript', () => {
  const odd = JSON.parse('{"__proto__": "PASSED", "constructor": "PASSED"}') as Tests
  expect(classes(report({}), report({}), report(odd)).failToPass).toEqual(['__proto__', 'constructor'])
})

describe('a run that is no evidence', () => {
  const good = report(one('PASSED'))
  const rows: [string, Partial<TestReport>][] = [
    ['timed_out', { outcome: 'timed_out' }],
    ['crashed', { outcome: 'crashed' }],
    ['no_report', { parse_status: 'no_report' }],
    ['no_tests', { parse_status: 'no_tests' }],
    ['malformed', { parse_status: 'malformed', parse_detail: '0.xml: cut' }],
  ]
  for (const [reason, extra] of rows)
    it(`is infrastructure: ${reason} [H3 F13]`, () => {
      const bad = report({}, extra)
      const common = { base: report({}), inHidden: () => false }
      const detail = extra.parse_detail ?? ''
      expect(classify({ ...common, broken: [good, bad], solved: [good] })).toEqual({
        kind: 'infrastructure',
        state: 'broken',
        run: 1,
        reason,
        detail,
      })
      expect(classify({ ...common, broken: [good], solved: [bad] })).toMatchObject({ state: 'solved', run: 0 })
      if (reason !== 'no_tests')
        expect(classify({ ...common, base: bad, broken: [good], solved: [good] })).toMatchObject({ state: 'base' })
    })
  it('is a base without tests only for the other states', () => {
    const empty = report({}, { parse_status: 'no_tests' })
    expect(classes(empty, report(one('FAILED')), good).failToPass).toEqual(['a.py::t'])
  })
  it('is a state that never ran', () => {
    expect(classify({ base: undefined, broken: [], solved: [good], inHidden: () => false })).toMatchObject({
      reason: 'not_run',
      state: 'broken',
    })
  })
})

describe('a test that the hidden files cannot have changed', () => {
  const sameAsBase = (id: string) => !id.startsWith('hidden')

  it('is quarantined where the base saw another status than broken [H1]', () => {
    const found = classes(report(one('PASSED')), report(one('FAILED')), report(one('PASSED')), { sameAsBase })
    expect([found.failToPass, found.quarantined]).toEqual([[], ['a.py::t']])
    const other = classes(report(one('FAILED')), report(one('PASSED')), report(one('PASSED')), { sameAsBase })
    expect([other.passToPass, other.quarantined]).toEqual([[], ['a.py::t']])
  })

  it('keeps its class where base and broken agree, or where the base never saw it', () => {
    const agreed = classes(report(one('FAILED')), report(one('FAILED')), report(one('PASSED')), { sameAsBase })
    expect(agreed.failToPass).toEqual(['a.py::t'])
    const unseen = classes(report({}), report(one('FAILED')), report(one('PASSED')), { sameAsBase })
    expect(unseen.failToPass).toEqual(['a.py::t'])
  })

  it('may change where it lives in a hidden file', () => {
    const id = 'hidden.py::t'
    const found = classes(report({ [id]: 'PASSED' }), report({ [id]: 'FAILED' }), report({ [id]: 'PASSED' }), {
      sameAsBase,
    })
    expect(found.failToPass).toEqual([id])
  })
})

describe('the cases of a parametrised test of which one moves', () => {
  const runs = (first: Tests, second: Tests) => [report(first), report(second)]

  it('are in neither list, since what moves is what they share [H1 H2]', () => {
    const [steady, moved] = [
      { 'a.py::t[1]': 'PASSED', 'a.py::t[2]': 'PASSED', 'a.py::u[1]': 'PASSED' },
      { 'a.py::t[1]': 'FAILED', 'a.py::t[2]': 'PASSED', 'a.py::u[1]': 'PASSED' },
    ] as const
    const found = classify({
      base: report(steady),
      broken: runs({ ...steady, 'a.py::t[3]': 'FAILED' }, { ...steady, 'a.py::t[3]': 'FAILED' }),
      solved: runs({ ...steady, 'a.py::t[3]': 'PASSED' }, { ...moved, 'a.py::t[3]': 'PASSED' }),
      inHidden: () => true,
    })
    expect(found).toMatchObject({
      failToPass: [],
      passToPass: ['a.py::u[1]'],
      quarantined: ['a.py::t[1]', 'a.py::t[2]', 'a.py::t[3]'],
    })
  })

  it('are in neither list where the test is known to move from elsewhere, which says nothing of absent ones', () => {
    const tests = { 'a.py::t[1]': 'PASSED', 'a.py::t[2]': 'PASSED', 'a.py::tt': 'PASSED' } as const
    const found = classify({
      base: report(tests),
      broken: [report(tests)],
      solved: [report(tests)],
      inHidden: () => false,
      restless: new Set(['a.py::t', 'a.py::never_here']),
    })
    expect(found).toMatchObject({ passToPass: ['a.py::tt'], quarantined: ['a.py::t[1]', 'a.py::t[2]'] })
  })
})
