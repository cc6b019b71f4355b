import { R2eError, type Skip, skip, type TestReport, userError } from '@r2e/spec'
import type { TaskRun, UngradedRun } from '../observe/run-task.ts'

/** Why a run is no evidence, in the words of the ledger; undefined where it is. */
export function failedRun(id: string, what: string, run: TaskRun): Skip | undefined {
  if (run.outcome !== 'graded') return ungraded(id, what, run)
  if (run.solve && run.solve.exitCode !== 0)
    return skip(id, 'patch_does_not_apply', `solve.sh exited ${run.solve.exitCode}: ${lastLine(run.solve.output)}`)
  if (!run.report) return skip(id, 'no_tests_seen', `${what}: the run left no readable tests.json`)
  if (run.report.outcome === 'timed_out')
    return skip(id, 'verifier_timeout', `${what}: the tests ran longer than their limit`)
  return undefined
}

/** A report without tests says nothing about the change. */
export function unusableReport(id: string, what: string, report: TestReport): Skip | undefined {
  if (report.parse_status === 'ok' && report.outcome === 'completed') return undefined
  const why = report.parse_detail ? `: ${report.parse_detail}` : ''
  const codes = report.exit_codes.join(', ')
  return skip(id, 'no_tests_seen', `${what}: ${report.outcome}, ${report.parse_status} (exit ${codes})${why}`)
}

/** An environment in which no test of the untouched tree passes is no environment. */
export function unusableBase(id: string, report: TestReport): Skip | undefined {
  const statuses = Object.values(report.tests)
  return (
    unusableReport(id, 'the base', report) ??
    (statuses.includes('PASSED')
      ? undefined
      : skip(id, 'no_tests_seen', `the base: none of ${statuses.length} tests passes`))
  )
}

function ungraded(id: string, what: string, run: UngradedRun): Skip {
  const log = lastLine(run.log)
  switch (run.reason) {
    case 'base_image_missing':
      throw userError('base_image_missing', `the base image of "${run.detail}" is not to be had: ${log}`, {
        fix: 'name one that exists here: --base-image IMAGE',
      })
    case 'step_failed':
    case 'build_timed_out':
      return skip(id, 'environment_failed', `${run.reason} at "${run.detail}": ${log}`, { log: run.log })
    case 'solve_timed_out':
    case 'verifier_timed_out':
      return skip(id, 'verifier_timeout', `${what}: ${run.detail}`)
    case 'out_of_memory':
      return skip(id, 'out_of_memory', `${what}: ${run.detail}`)
    case 'no_reward':
      throw new R2eError('grader_failed', 'transient', `${what}: ${run.detail}: ${log}`)
  }
}

const lastLine = (text: string) => text.trimEnd().split('\n').at(-1)?.slice(0, 300) ?? ''
