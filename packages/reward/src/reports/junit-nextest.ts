import type { ParsedReport, TestStatus } from '@r2e/spec'
import { caseStatus, type JunitCase, readJunit } from './junit.ts'
import { canonicalId, reportBuilder } from './report-builder.ts'

/**
 * JUnit XML as cargo-nextest writes it, to the ids of cargo: a suite is a test program, by its binary id
 * (parsers.md R7). Ignored tests are not in it. A test that passed at a later try failed: the first attempt counts.
 */
export function parseJunitNextest(text: string): ParsedReport {
  return readJunit(text, nextestReport)
}

function nextestReport(cases: Iterable<JunitCase>): ParsedReport {
  const report = reportBuilder()
  for (const testcase of cases) {
    const binary = testcase.suites.at(-1)?.name || testcase.attributes.classname || ''
    const { name = '' } = testcase.attributes
    // Setup scripts are listed as suites of their own.
    if (binary.startsWith('@')) continue
    if (binary === '' || name === '') report.malformed()
    else report.add(canonicalId(`${scopeOf(binary)}::${name}`), statusOf(testcase))
  }
  return report.report()
}

/** `crate` → `crate/lib`, `crate::it` → `crate/test:it`, `crate::bin/x` → `crate/bin:x`. */
function scopeOf(binary: string): string {
  const at = binary.indexOf('::')
  if (at < 0) return `${binary}/lib`
  const [crate, target] = [binary.slice(0, at), binary.slice(at + 2)]
  const slash = target.indexOf('/')
  if (slash < 0) return `${crate}/test:${target}`
  const kind = target.slice(0, slash)
  return kind === 'proc-macro' ? `${crate}/lib` : `${crate}/${kind}:${target.slice(slash + 1)}`
}

function statusOf(testcase: JunitCase): TestStatus {
  const { marks } = testcase
  if (marks.some(({ kind, type }) => kind === 'failure' && /^(?:test abort|execution failure)/.test(type)))
    return 'ERROR'
  if (marks.some(({ kind }) => kind === 'flakyFailure' || kind === 'flakyError')) return 'FAILED'
  return caseStatus(testcase)
}
