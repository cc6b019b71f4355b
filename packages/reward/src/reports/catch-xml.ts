import type { ParsedReport, TestStatus } from '@r2e/spec'
import { canonicalId, type ReportBuilder, reportBuilder, unreadable } from './report-builder.ts'
import { programOf } from './test-program.ts'
import { type Attributes, visitXml } from './xml.ts'

/**
 * The XML report of a Catch2 or doctest program, to `<program>::case`, in a suite of doctest `<program>::suite > case`.
 * Sections and subcases fold into their case. Their JUnit reports are not read: those call an expected failure failed,
 * and name a section by whichever other section ran before it.
 */
export function parseCatchXml(text: string, path: string): ParsedReport {
  const report = reportBuilder()
  const program = programOf(path, 'catch')
  let suite = ''
  let current: Case | undefined
  const failure = visitXml(text, /<\?xml|<(?:Catch2TestRun|Catch|doctest)[ \t\r\n>]/, {
    open(name, attributes) {
      if (name === 'TestSuite') suite = attributes.name ?? ''
      else if (name === 'TestCase') current = openCase(attributes, suite)
      else if (current) note(current, name, attributes)
    },
    close(name) {
      if (name === 'TestSuite') suite = ''
      if (name !== 'TestCase' || !current) return
      addCase(report, `${program}::`, current)
      current = undefined
    },
  })
  return failure === undefined ? report.report() : unreadable(failure)
}

interface Case {
  readonly name: string
  readonly mustFail: boolean
  readonly mayFail: boolean
  readonly skipped: boolean
  success: string | undefined
  skips: boolean
  failed: boolean
  died: boolean
}

function openCase({ name = '', tags = '', should_fail, may_fail, skipped }: Attributes, suite: string): Case {
  return {
    name: suite === '' || name === '' ? name : `${suite} > ${name}`,
    mustFail: should_fail === 'true' || tags.includes('[!shouldfail]'),
    mayFail: may_fail === 'true' || tags.includes('[!mayfail]'),
    skipped: skipped === 'true',
    success: undefined,
    skips: false,
    failed: false,
    died: false,
  }
}

function note(test: Case, element: string, { success, test_case_success, skips, crash, type }: Attributes): void {
  if (element === 'OverallResult' || element === 'OverallResultsAsserts') {
    test.success = test_case_success ?? success
    test.skips = /^[1-9][0-9]*$/.test(skips ?? '0')
  } else if (element === 'FatalErrorCondition' || (element === 'Exception' && crash === 'true')) test.died = true
  else if (element === 'Expression') test.failed ||= success === 'false'
  else if (element === 'Exception' || element === 'Failure') test.failed = true
  else if (element === 'Message') test.failed ||= type === 'ERROR' || type === 'FATAL ERROR'
}

function addCase(report: ReportBuilder, scope: string, test: Case): void {
  const status = statusOf(test)
  if (test.name === '' || status === undefined) report.malformed()
  else report.addNext(canonicalId(`${scope}${test.name}`), status)
}

function statusOf(test: Case): TestStatus | undefined {
  if (test.skipped) return 'SKIPPED'
  if (test.died) return 'ERROR'
  if (test.success === 'false') return test.mustFail && !test.failed ? 'XPASS' : 'FAILED'
  if (test.success !== 'true') return undefined
  if (test.mustFail || (test.mayFail && test.failed)) return 'XFAIL'
  return test.skips ? 'SKIPPED' : 'PASSED'
}
