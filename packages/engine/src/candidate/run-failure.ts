import { R2eError, type Skip, skip, type TestReport, userError } from '@r2e/spec'
import type { TaskRun, UngradedRun } from '../observe/run-task.ts'

/** Why a run is no evidence, in the words of the ledger; undefined where it is. */
export function failedRun(id: string, what: string, run: TaskRun): Skip | undefined {
  if (run.outcome !== 'graded') return ungraded(id, what, run)
  if (run.solve && run.solve.exitCode !== 0)
    return skip(id, 'patch_does_not_apply', `solve.sh exited ${run.solve.exitCode}: ${lastLine(run.solve.output)}`)
  if (run.details.status === 'grader_error')
    throw new R2eError('grader_failed', 'transient', `${what}: ${run.details.detail ?? 'the grader failed'}`)
  const [rewritten] = Array.isArray(run.details.left_changed) ? run.details.left_changed : []
  if (rewritten !== undefined)
    return skip(id, 'flaky', `${what}: the tests rewrite ${rewritten}, test data that is too large for a copy`)
  if (!run.report) return skip(id, 'no_tests_seen', `${what}: the run left no readable tests.json`)
  if (run.report.outcome === 'timed_out')
    return skip(id, 'verifier_timeout', `${what}: the tests ran longer than their limit`)
  return undefined
}

/** A report, and the tail of what the tests printed. */
interface Seen {
  readonly report: TestReport
  readonly log: string
}

/** A report without tests says nothing about the change. */
export function unusableReport(id: string, what: string, { report, log }: Seen): Skip | undefined {
  if (report.parse_status === 'ok' && report.outcome === 'completed') return undefined
  const why = report.parse_detail ? `: ${report.parse_detail}` : ''
  const codes = report.exit_codes.join(', ')
  const said = lastLine(log) === '' ? '' : `; it ended with: ${lastLine(log)}`
  return skip(id, 'no_tests_seen', `${what}: ${report.outcome}, ${report.parse_status} (exit ${codes})${why}${said}`, {
    log,
  })
}

/** An environment in which no test of the untouched tree passes is no environment. */
export function unusableBase(id: string, seen: Seen): Skip | undefined {
  const statuses = Object.values(seen.report.tests)
  return (
    unusableReport(id, 'the base', seen) ??
    (statuses.includes('PASSED')
      ? undefined
      : skip(id, 'no_tests_seen', `the base: none of ${statuses.length} tests passes`, { log: seen.log }))
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
      return skip(id, 'environment_failed', `${run.reason} at "${run.detail}": ${log}`, {
        log: run.log,
        ...(run.reason === 'step_failed' && { step: run.detail }),
      })
    case 'solve_timed_out':
    case 'verifier_timed_out':
      return skip(id, 'verifier_timeout', `${what}: ${run.detail}`)
    case 'out_of_memory':
      return skip(id, 'out_of_memory', `${what}: ${run.detail}`)
    case 'no_reward':
      throw new R2eError('grader_failed', 'transient', `${what}: ${run.detail}: ${log}`)
  }
}

const CLOSING = /^(?:The command '.*' returned a non-zero code: \d+|the command ended with exit code \d+)$/

/** What stands above the output of a step: a command with nothing below it printed nothing. */
const HEADING = /^(?:Step \d+\/\d+ : |RUN | ---> )/

/** What a program said last; the sandbox's own closing line of a build step tells the exit code alone. */
function lastLine(text: string): string {
  const lines = text.trimEnd().split('\n')
  const before = lines.at(-2)
  if (before !== undefined && CLOSING.test(lines.at(-1)!) && !HEADING.test(before)) lines.pop()
  return lines.at(-1)!.trim().slice(0, 300)
}
