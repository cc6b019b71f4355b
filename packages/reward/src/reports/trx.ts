import type { ParsedReport, TestStatus } from '@r2e/spec'
import { canonicalId, type ReportBuilder, reportBuilder, unreadable } from './report-builder.ts'
import { type Attributes, visitXml } from './xml.ts'

/**
 * Visual Studio test results as `dotnet test` writes them, found at `<project>/TestResults/*.trx`. Ids are
 * `project::Ns.Class.Method(arguments)`: class and method come from the definition of the test, the arguments of a row
 * from its result, so that a display name changes no id (parsers.md X14).
 */
export function parseTrx(text: string, path: string): ParsedReport {
  const results: Attributes[] = []
  const methods = new Map<string, Attributes>()
  let definition = ''
  const said: string[] = []
  const failure = visitXml(text, /<\?xml|<TestRun[ \t\r\n>/]/, {
    open(name, attributes) {
      if (name === 'UnitTestResult') results.push(attributes)
      else if (name === 'UnitTest') definition = attributes.id ?? ''
      else if (name === 'TestMethod') methods.set(definition, attributes)
      else if (name === 'RunInfo') said.push('')
    },
    close: () => {},
    text(part) {
      const before = said.at(-1)
      if (before !== undefined && before.length < MOST_SAID) said.splice(-1, 1, `${before}${part}`.slice(0, MOST_SAID))
    },
  })
  if (failure !== undefined) return unreadable(failure)
  const report = reportBuilder()
  const project = projectOf(path)
  addResults(report, { results, methods, project })
  if (said.some((message) => ABORTED.test(message))) report.unload(canonicalId(project))
  return report.report()
}

/** What the logger writes of a test host that died: the run itself it calls failed, as with any failed test. */
const ABORTED = /test run was aborted|test host process crashed/i
const MOST_SAID = 4096

/** The folder above `TestResults`; `.` is the root of the repository. */
function projectOf(path: string): string {
  const at = `/${path}`.lastIndexOf('/TestResults/')
  return at <= 0 ? '.' : path.slice(0, at - 1)
}

interface Found {
  readonly results: readonly Attributes[]
  /** By the id of the test. */
  readonly methods: ReadonlyMap<string, Attributes>
  readonly project: string
}

function addResults(report: ReportBuilder, { results, methods, project }: Found): void {
  for (const { testId = '', testName = '', outcome = '', resultType } of results) {
    // A test with data rows: they are results of their own.
    if (resultType === 'DataDrivenTest') continue
    const { className = '', name = '' } = methods.get(testId) ?? {}
    if (className === '' || name === '') report.malformed()
    else {
      const type = /^[^,[]*/.exec(className)![0]
      const method = (name.startsWith(`${type}.`) ? name.slice(type.length + 1) : name).split('(', 1)[0]!
      report.addNext(canonicalId(`${project}::${type}.${method}${rowOf(testName)}`), OUTCOMES[outcome] ?? 'ERROR')
    }
  }
}

/** `Ns.Class.Method(a: 1)` and `Method (1)` → `(a: 1)` and `(1)`. */
function rowOf(testName: string): string {
  const open = testName.indexOf('(')
  return open < 0 || !testName.endsWith(')') ? '' : testName.slice(open)
}

/** Everything else (`Error`, `Timeout`, `Aborted`) is an error of the run. */
const OUTCOMES: Readonly<Record<string, TestStatus>> = Object.assign(Object.create(null), {
  Passed: 'PASSED',
  Failed: 'FAILED',
  NotExecuted: 'SKIPPED',
  Inconclusive: 'SKIPPED',
})
