import type { ParsedReport, TestStatus } from '@r2e/spec'
import { type JunitCase, readJunit } from './junit.ts'
import { canonicalId, reportBuilder } from './report-builder.ts'

/**
 * JUnit XML as `ctest --output-junit` writes it, to `ctest::<name>`. What ctest calls skipped is only that where a test
 * said so itself: a program that is missing, or a fixture that failed, is an error (parsers.md X9).
 */
export function parseJunitCtest(text: string): ParsedReport {
  return readJunit(text, ctestReport)
}

function ctestReport(cases: Iterable<JunitCase>): ParsedReport {
  const report = reportBuilder()
  for (const testcase of cases) {
    const { name = '' } = testcase.attributes
    if (name === '') report.malformed()
    else report.add(canonicalId(`ctest::${name}`), statusOf(testcase))
  }
  return report.report()
}

function statusOf({ attributes: { status }, marks }: JunitCase): TestStatus {
  const message = marks.find(({ kind }) => kind !== 'error')?.message ?? ''
  if (status === 'run') return 'PASSED'
  if (status === 'disabled') return 'SKIPPED'
  if (status === 'notrun') return /^SKIP_(?:RETURN_CODE|REGULAR_EXPRESSION)/.test(message) ? 'SKIPPED' : 'ERROR'
  return status === 'fail' && !DIED.has(message) ? 'FAILED' : 'ERROR'
}

/** How ctest names the end of a test that it or the system ended; an abort is how an assertion fails. */
const DIED = new Set(['Timeout', 'SEGFAULT', 'ILLEGAL', 'INTERRUPT', 'NUMERICAL', 'BAD_COMMAND'])
