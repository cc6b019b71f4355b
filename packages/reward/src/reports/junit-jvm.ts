import type { ParsedReport, TestStatus } from '@r2e/spec'
import { caseStatus, type JunitCase, readJunit } from './junit.ts'
import { canonicalId, reportBuilder } from './report-builder.ts'

/** Reports of Maven's surefire and failsafe: `core/target/surefire-reports/TEST-pkg.Class.xml`. */
export function parseJunitMaven(text: string, path: string): ParsedReport {
  return readJunit(text, (cases) => jvmReport(cases, moduleAbove(path, '/target/')))
}

/** Reports of Gradle's test tasks: `core/build/test-results/test/TEST-pkg.Class.xml`. */
export function parseJunitGradle(text: string, path: string): ParsedReport {
  return readJunit(text, (cases) => jvmReport(cases, moduleAbove(path, '/build/test-results/')))
}

/** The folder that a build writes its reports below; `.` is the root of the repository. */
function moduleAbove(path: string, mark: string): string {
  const at = `/${path}`.lastIndexOf(mark)
  return at <= 0 ? '.' : path.slice(0, at - 1)
}

/** Ids are `module::pkg.Class::method`, of one invocation of several `method[1]` (parsers.md X1 to X8). */
function jvmReport(cases: Iterable<JunitCase>, module: string): ParsedReport {
  const report = reportBuilder()
  let last = ''
  let scope = ''
  for (const testcase of cases) {
    const { classname = '', name = '' } = testcase.attributes
    if (classname !== last) scope = canonicalId(`${module}::${classname}`)
    last = classname
    const status = statusOf(testcase)
    if (classname === '') report.malformed()
    else if (!isOfClass(name, classname)) report.addNext(`${scope}::${canonicalId(methodOf(name))}`, status)
    else if (status === 'SKIPPED') report.add(scope, status)
    else if (status === 'PASSED') report.malformed()
    else report.unload(scope)
  }
  return report.report()
}

/** What befell a class as a whole, such as its static initializer, bears no method's name. */
function isOfClass(name: string, classname: string): boolean {
  return name === '' || name === classname || CLASS_LEVEL.has(name)
}

const CLASS_LEVEL = new Set(['initializationError', 'executionError', 'classMethod'])

/** Of a test that was run again the first attempt counts. */
function statusOf(testcase: JunitCase): TestStatus {
  const retried = testcase.marks.find(({ kind }) => kind === 'flakyFailure' || kind === 'flakyError')
  if (retried && !testcase.marks.some(({ kind }) => kind === 'error' || kind === 'failure'))
    return retried.kind === 'flakyError' ? 'ERROR' : 'FAILED'
  return caseStatus(testcase)
}

/**
 * `m(int, int)[1]` → `m[1]`, `m()` → `m`: parameter types are left out. Titles with blanks that end in parentheses of
 * their own keep them, and where an object is printed by its address the address goes.
 */
function methodOf(title: string): string {
  const name = title.includes('@') ? title.replace(/(?<=[\w$]@)[0-9a-f]{5,8}\b/g, '') : title
  if (!/[)}\]]$/.test(name)) return name
  const end = invocationsAt(name)
  const last = name[end - 1]
  const open = last === ')' ? name.lastIndexOf('(', end - 1) : last === '}' ? name.lastIndexOf('{', end - 1) : -1
  if (open < 1 || /\s/.test(name[open - 1]!)) return name
  const isSignature = end < name.length || open === end - 2 || !/\s/.test(name.slice(0, open))
  return isSignature ? name.slice(0, open) + name.slice(end) : name
}

/** Where the `[1]` of a name begin; of a name with absurdly many the last ones. */
function invocationsAt(name: string): number {
  let end = name.length
  for (let level = 0; level < 32 && name[end - 1] === ']'; level++) {
    const open = name.lastIndexOf('[', end - 1)
    if (open < 0 || !/^\d{1,9}$/.test(name.slice(open + 1, Math.min(end - 1, open + 11)))) break
    end = open
  }
  return end
}
