import type { ParsedReport } from '@r2e/spec'
import { caseStatus, type JunitCase, type JunitMark, readJunit } from './junit.ts'
import { canonicalId, reportBuilder } from './report-builder.ts'

/**
 * JUnit XML as PHPUnit writes it: ids are `<file>::<class>::<method>`, with the data set where there is one
 * (parsers.md X13). The file is the one of the class that runs, also for a method that it inherits. A file that our
 * driver found to end the process is a case with an error of type `r2e.error`.
 */
export function parseJunitPhpunit(text: string): ParsedReport {
  return readJunit(text, phpunitReport)
}

function phpunitReport(cases: Iterable<JunitCase>): ParsedReport {
  const report = reportBuilder()
  for (const testcase of cases) {
    const { name = '', class: className = '' } = testcase.attributes
    const scope = scopeOf(testcase)
    const status = caseStatus({ ...testcase, marks: testcase.marks.filter((mark) => !isRisky(mark)) })
    if (scope === '') report.malformed()
    else if (testcase.marks.some(({ type }) => type === 'r2e.error')) report.unload(canonicalId(scope))
    else if (STAND_IN.test(className)) {
      if (status === 'ERROR' || status === 'FAILED') report.unload(canonicalId(scope))
    } else if (name === '') report.malformed()
    else report.add(canonicalId(className === '' ? scope : `${scope}::${className}::${name}`), status)
  }
  return report.report()
}

/** What older versions report in place of tests that they cannot make, such as those of a data provider that throws. */
const STAND_IN = /^PHPUnit\\Framework\\(?:Warning|Error)TestCase$/

function scopeOf({ attributes, suites }: JunitCase): string {
  const own = suites.findLast((suite) => suite.file && suite.name === attributes.class)
  const file = own?.file || attributes.file || suites.findLast((suite) => suite.file)?.file || ''
  return file.startsWith(WORK_TREE) ? file.slice(WORK_TREE.length) : file
}

/** PHPUnit names files by their whole path; the work tree of every task is this. */
const WORK_TREE = '/app/'

/** A risky test passed; newer versions do not even say so. */
function isRisky({ type }: JunitMark): boolean {
  return RISKY.test(type)
}

const RISKY =
  /\\(?:RiskyTest\w*|OutputError|UnintentionallyCoveredCodeError|CoveredCodeNotExecutedException|MissingCoversAnnotationException)$/
