import type { ParsedReport } from '@r2e/spec'
import { scopedId } from './describe-path.ts'
import { caseStatus, type JunitCase, readJunit } from './junit.ts'
import { canonicalId, reportBuilder } from './report-builder.ts'

/** JUnit XML of `bun test --reporter=junit`: a suite per file, its describe blocks nested below it. */
export function parseJunitBun(text: string): ParsedReport {
  return readJunit(text, bunReport)
}

/** Bun's name of a failing hook of a describe block or file. */
const HOOK = '(unnamed)'

function bunReport(cases: Iterable<JunitCase>): ParsedReport {
  const report = reportBuilder()
  for (const item of cases) {
    const [outermost, ...describes] = item.suites
    const scope = item.attributes.file || outermost?.file || outermost?.name || ''
    const { name = '' } = item.attributes
    const status = caseStatus(item)
    if (scope === '' || name === '') report.malformed()
    else if (name === HOOK && status !== 'PASSED') report.unload(canonicalId(scope))
    else report.addNext(canonicalId(scopedId(scope, [...describes.map((suite) => suite.name ?? ''), name])), status)
  }
  return report.report()
}
