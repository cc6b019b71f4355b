import type { ValidateEvent } from '@r2e/engine'
import { expect, it } from 'vitest'
import { validateEndLine, validateLines } from './validate-lines.ts'

const graded = { outcome: 'graded', reward: 0.5 } as Extract<ValidateEvent, { type: 'task-run' }>['run']
const broken = { ...graded, outcome: 'build_failed' } as Extract<ValidateEvent, { type: 'task-run' }>['run']

const events: readonly ValidateEvent[] = [
  { type: 'task-start', task: 'a' },
  { type: 'finding', task: 'a', level: 'error', code: 'bad', message: 'no\u001b[1m' },
  { type: 'finding', task: 'a', level: 'warning', code: 'odd', message: 'hm' },
  { type: 'task-run', task: 'a', state: 'oracle', turn: 1, run: graded },
  { type: 'task-run', task: 'a', state: 'nop', turn: 2, run: broken },
  { type: 'task-end', task: 'a', valid: false },
]

const text = (options: { quiet: boolean; verbose: boolean }) => events.flatMap((event) => validateLines(event, options))

it('writes a line for each finding, run and task', () => {
  expect(text({ quiet: false, verbose: false })).toEqual([
    'error    a bad: no\ufffd[1m',
    'warning  a odd: hm',
    'oracle 1 a reward 0.5',
    'nop 2    a build_failed',
    'invalid  a',
  ])
  expect(text({ quiet: true, verbose: false })).toEqual(['error    a bad: no\ufffd[1m'])
  expect(text({ quiet: false, verbose: true })[0]).toBe('checking a')
})

it('sums up', () => {
  const summary = { ok: true, tasks: 3, valid: 3, errors: 0, warnings: 1, runs: 6 }
  expect(validateEndLine(summary, { running: true })).toBe('all 3 tasks valid (0 errors, 1 warning, 6 runs)')
  const unrun = { ...summary, ok: false, valid: 1, errors: 2, runs: 0 }
  expect(validateEndLine(unrun, { running: false })).toBe('2 of 3 tasks invalid (2 errors, 1 warning)')
  expect(validateEndLine({ ...summary, runs: 0 }, { running: true })).toBe(
    'all 3 tasks valid (0 errors, 1 warning, nothing to run: no task has an environment)',
  )
})
