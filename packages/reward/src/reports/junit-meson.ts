import type { ParsedReport } from '@r2e/spec'
import { caseStatus, type JunitCase, readJunit } from './junit.ts'
import { canonicalId, reportBuilder } from './report-builder.ts'

/**
 * JUnit XML as `meson test` writes it: `project::test`, and for what a test reports of itself `project::test > case`.
 * Suites are no part of an id, since Meson leaves them out where there is one alone, and numbers of a TAP test neither:
 * an unrelated test would change them.
 */
export function parseJunitMeson(text: string): ParsedReport {
  return readJunit(text, mesonReport)
}

function mesonReport(cases: Iterable<JunitCase>): ParsedReport {
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
  const { name = '', classname = '', time } = attributes
  const suite = suites.at(-1)?.name ?? ''
  if (suite === '') return undefined
  // Cases of a TAP test have no time, and carry the name of their suite too.
  if (classname === suite && time !== undefined) return name === '' ? undefined : `${suite}::${bareTest(suite, name)}`
  const [project, test] = splitSuite(suite)
  if (name === '') return `${project}::${test} > `
  if (classname === suite) return `${project}::${test} > ${name.replace(/^[0-9]+ - (?=.)/s, '')}`
  const inner = classname !== '' && test.endsWith(`.${classname}`) ? test.slice(0, -classname.length - 1) : test
  return `${project}::${inner} > ${classname}.${name}`
}

const SEPARATOR = ' / '

/** `project:suite / test` → `test`: Meson writes what stands before it only where the project has several suites. */
function bareTest(project: string, name: string): string {
  const at = name.indexOf(SEPARATOR)
  if (at < 0) return name
  const prefix = name.slice(0, at)
  return prefix === project || prefix.startsWith(`${project}:`) ? name.slice(at + SEPARATOR.length) : name
}

/** `project.test` or `project.project:suite / test` → project and test. */
function splitSuite(suite: string): [project: string, test: string] {
  const twice = suite.slice(0, Math.max(suite.search(/:| \/ /), 0))
  const half = twice.slice(0, (twice.length - 1) / 2)
  if (twice !== '' && twice === `${half}.${half}`) return [half, bareTest(half, suite.slice(half.length + 1))]
  const dot = suite.indexOf('.')
  return dot < 0 ? ['', suite] : [suite.slice(0, dot), suite.slice(dot + 1)]
}
