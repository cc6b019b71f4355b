import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { TestReport } from '@r2e/spec'
import { describe, expect, it } from 'vitest'
import { type GradeOptions, gradeTests, type Statuses } from './grade-tests.ts'

interface Case {
  readonly f2p: readonly string[]
  readonly p2p: readonly string[]
  readonly statuses: Statuses
  readonly options?: GradeOptions
}

const cases: Record<string, Case> = {
  full: { f2p: ['a'], p2p: ['b'], statuses: { a: 'PASSED', b: 'PASSED' }, options: { exitCodes: [0, 0] } },
  partial: {
    f2p: ['a', 'b', 'c', 'd', 'e'],
    p2p: ['f'],
    statuses: { a: 'PASSED', b: 'PASSED', c: 'PASSED', d: 'PASSED', e: 'FAILED', f: 'PASSED' },
  },
  regression: { f2p: ['a'], p2p: ['b', 'c', 'd'], statuses: { a: 'PASSED', b: 'PASSED', c: 'ERROR' } },
  'nothing passes': { f2p: ['a'], p2p: [], statuses: { a: 'FAILED' } },
  'a name of slashes': { f2p: ['a'], p2p: [], statuses: { a: 'PASSED', [`m::${'/'.repeat(50_000)}`]: 'FAILED' } },
  'no fail-to-pass': { f2p: [], p2p: ['b'], statuses: { b: 'PASSED' } },
  'no lists': { f2p: [], p2p: [], statuses: {} },
  'no pass-to-pass': { f2p: ['a'], p2p: [], statuses: { a: 'PASSED' }, options: { exitCodes: [0] } },
  'failure outside': { f2p: ['a'], p2p: [], statuses: { a: 'PASSED', z: 'FAILED' }, options: { exitCodes: [0] } },
  'unloaded outside': {
    f2p: ['a'],
    p2p: [],
    statuses: { a: 'PASSED' },
    options: { unloaded: ['b.py'], exitCodes: [0] },
  },
  'other exit': { f2p: ['a'], p2p: ['b'], statuses: { a: 'PASSED', b: 'PASSED' }, options: { exitCodes: [0, 2, 1] } },
  'xfail, xpass, skipped do not pass': {
    f2p: ['a', 'b', 'c'],
    p2p: [],
    statuses: { a: 'XFAIL', b: 'XPASS', c: 'SKIPPED' },
  },
  'timed out': { f2p: ['a'], p2p: ['b'], statuses: { a: 'PASSED', b: 'PASSED' }, options: { outcome: 'timed_out' } },
  crashed: {
    f2p: ['a'],
    p2p: ['b'],
    statuses: { a: 'PASSED', b: 'PASSED' },
    options: { outcome: 'crashed', exitCodes: [-11] },
  },
  ungradable: { f2p: ['a'], p2p: [], statuses: {}, options: { parseStatus: 'no_report', exitCodes: [0] } },
  'binary, all': { f2p: ['a'], p2p: [], statuses: { a: 'PASSED' }, options: { binary: true } },
  'binary, some': { f2p: ['a', 'b'], p2p: [], statuses: { a: 'PASSED' }, options: { binary: true } },
  subtests: {
    f2p: ['p::A/x'],
    p2p: [],
    statuses: {
      'p::A': 'FAILED',
      'p::A/x': 'FAILED',
      'p::A/x/y': 'FAILED',
      'p::B': 'FAILED',
      'tests/t.py::q': 'ERROR',
    },
  },
  'many outside': {
    f2p: ['a'],
    p2p: [],
    statuses: Object.fromEntries([...'\u{1f600}\uff5azyxwvutsrqponmlkjihgfedcb'].map((id) => [id, 'FAILED' as const])),
  },
  thirds: {
    f2p: ['a', 'b', 'c'],
    p2p: ['d', 'e', 'f', 'g', 'h', 'i', 'j'],
    statuses: { a: 'PASSED', b: 'PASSED', d: 'PASSED', e: 'PASSED', f: 'PASSED' },
  },
}

const grade = ({ f2p, p2p, statuses, options }: Case) => gradeTests(f2p, p2p, statuses, { runner: 'r', ...options })

describe('gradeTests', () => {
  const flags: [string, number, string, boolean, boolean, boolean][] = [
    ['full', 1, 'FULL', true, true, true],
    ['partial', 0.8, 'PARTIAL', false, false, false],
    ['regression', 0.333333, 'NO', false, false, false],
    ['nothing passes', 0, 'NO', false, false, false],
    ['no fail-to-pass', 0, 'FULL', false, false, false],
    ['no lists', 0, 'FULL', false, false, false],
    ['no pass-to-pass', 1, 'FULL', true, true, false],
    ['failure outside', 1, 'FULL', true, false, false],
    ['unloaded outside', 1, 'FULL', true, false, false],
    ['other exit', 1, 'FULL', true, false, false],
    ['xfail, xpass, skipped do not pass', 0, 'NO', false, false, false],
    ['timed out', 0, 'NO', false, false, false],
    ['crashed', 1, 'FULL', true, false, false],
    ['ungradable', 0, 'NO', false, false, false],
    ['binary, all', 1, 'FULL', true, true, false],
    ['binary, some', 0, 'PARTIAL', false, false, false],
    ['subtests', 0, 'NO', false, false, false],
    ['many outside', 0, 'NO', false, false, false],
    ['thirds', 0.285714, 'NO', false, false, false],
  ]
  for (const [name, reward, resolution, resolved, command_resolved, eval_grade] of flags)
    it(`${name}: ${reward}, ${resolution} [G1 G2 B12 B15]`, () => {
      expect(grade(cases[name]!)).toMatchObject({ reward, resolution, resolved, command_resolved, eval_grade })
    })

  it('counts a failed subtest once, not again in its parents [B9]', () => {
    expect(grade(cases.subtests!).untracked_failed).toEqual(['p::A/x/y', 'p::B', 'tests/t.py::q'])
  })
  it('shows at most 20 failures outside the lists', () => {
    const found = grade(cases['many outside']!)
    expect([found.untracked_failed_count, found.untracked_failed.length]).toEqual([27, 20])
  })
  it('lets XFAIL pass where it was XFAIL with the oracle', () => {
    expect(gradeTests(['a'], [], { a: 'XFAIL' }, { expectedFailures: ['a'] }).reward).toBe(1)
  })
  it('takes no inherited name for a status', () => {
    expect(gradeTests(['constructor'], [], {}).reward).toBe(0)
  })

  it('gives what grade.py gives, field by field', () => {
    const found = Object.values(cases).map(grade)
    expect(byPython(Object.values(cases))).toEqual(found)
  })
})

function byPython(all: readonly Case[]): unknown {
  const program = `import importlib.util, json, sys
sys.dont_write_bytecode = True
spec = importlib.util.spec_from_file_location("grade", sys.argv[1]); grade = importlib.util.module_from_spec(spec)
spec.loader.exec_module(grade)
print(json.dumps([grade.grade_tests(*case) for case in json.load(sys.stdin)]))`
  const input = all.map(({ f2p, p2p, statuses, options = {} }) => {
    const {
      outcome = 'completed',
      parseStatus: parse_status = 'ok',
      unloaded = [],
      exitCodes: exit_codes = [],
    } = options
    const report: Partial<TestReport> = { outcome, parse_status, unloaded, exit_codes, tests: statuses }
    return [f2p, p2p, report, { runner: 'r', reward: options.binary ? 'binary' : 'graded' }]
  })
  const grader = fileURLToPath(new URL('../../../grader/files/grade.py', import.meta.url))
  return JSON.parse(execFileSync('python3', ['-I', '-c', program, grader], { input: JSON.stringify(input) }).toString())
}
