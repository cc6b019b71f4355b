import { R2eError, userError } from '@r2e/spec'
import { expect, it } from 'vitest'
import { sampleSummary } from './__fixtures__/sample-run.ts'
import { exitOfError, exitOfRun } from './exit-code.ts'

const clean = { ...sampleSummary, failed: { transient: 0, bug: 0 } }

it('tells success, an empty result, undecided candidates, a cap and an interrupt apart [A16]', () => {
  expect(exitOfRun(clean, false)).toBe(0)
  expect(exitOfRun({ ...clean, failed: { transient: 0, bug: 2 } }, false)).toBe(0)
  expect(exitOfRun({ ...clean, admitted: 0 }, false)).toBe(4)
  expect(exitOfRun({ ...clean, failed: { transient: 1, bug: 0 } }, false)).toBe(3)
  expect(exitOfRun({ ...clean, stop: 'budget' }, false)).toBe(5)
  expect(exitOfRun({ ...clean, stop: 'interrupted' }, false)).toBe(130)
})

it('ends a dry run well where there are candidates', () => {
  expect(exitOfRun({ ...clean, admitted: 0 }, true)).toBe(0)
  expect(exitOfRun({ ...clean, admitted: 0, candidates: 0 }, true)).toBe(4)
})

it('maps every fault to its exit code', () => {
  expect(exitOfError(userError('unknown_key', 'x'))).toBe(2)
  expect(exitOfError(userError('file_exists', 'x'))).toBe(1)
  expect(exitOfError(userError('budget_exhausted', 'x'))).toBe(5)
  expect(exitOfError(new R2eError('x', 'transient', 'x'))).toBe(3)
  expect(exitOfError(new R2eError('x', 'bug', 'x'))).toBe(70)
  expect(exitOfError(new TypeError('x'))).toBe(70)
  expect(exitOfError(undefined)).toBe(70)
})
