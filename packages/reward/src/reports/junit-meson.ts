import type { ParsedReport } from '@r2e/spec'
import { caseStatus, type JunitCase, readJunit } from './junit.ts'
import { canonicalId, reportBuilder } from './report-builder.ts'

/**
 * JUnit XML as `meson test` writes it: `project:suite::test`, and for what a test reports of itself
 * `project:suite::test > case`. Numbers of a TAP test are dropped, since an added test shifts them.
 */
export function parseJunitMeson(text: string): ParsedReport {
  return readJunit(text, mesonReport)
}

function mesonReport(cases: readonly JunitCase[]): ParsedReport {
  const report = reportBuilder()
  for (const testcase of cases) {
    const place = placeOf(testcase)
    if (place === undefined) report.malformed()
    else if (place.endsWith(' > ')) report.unload(canonicalId(place.slice(0, -3)))
    else report.addNext(canonicalId(place), isDisabled(testcase) ? 'SKIPPED' : caseStatus(testcase))
  }
  return report.report()
}

function isDisabled({ attributes: { status } }: JunitCase): boolean {
  return status === 'notrun' || status === 'disabled'
}

/** The id; one that ends with ` > ` is a failure outside all cases of that test. */
function placeOf({ attributes, suites }: JunitCase): string | undefined {
  const { name = '', classname = '' } = attributes
  const suite = suites.at(-1)?.name ?? ''
  if (!suite.includes(SEPARATOR)) return name.includes(SEPARATOR) ? testOf(name) : undefined
  const test = testOf(withoutProject(suite))
  if (name === '') return `${test} > `
  if (classname === suite) return `${test} > ${name.replace(/^[0-9]+ - (?=.)/s, '')}`
  const inner = classname !== '' && test.endsWith(`.${classname}`) ? test.slice(0, -classname.length - 1) : test
  return `${inner} > ${classname}.${name}`
}

const SEPARATOR = ' / '

/** `project.project:suite / test` → `project:suite / test`. */
function withoutProject(suite: string): string {
  const twice = suite.slice(0, suite.search(/:| \/ /))
  const half = (twice.length - 1) / 2
  return twice === `${twice.slice(0, half)}.${twice.slice(0, half)}` ? suite.slice(half + 1) : suite
}

function testOf(text: string): string {
  return text.replace(SEPARATOR, '::')
}
