import type { ParsedReport, TestStatus } from '@r2e/spec'
import { caseStatus, type JunitCase, readJunit } from './junit.ts'
import { canonicalId, reportBuilder } from './report-builder.ts'

/**
 * JUnit XML as pytest writes it (`junit_family=xunit1`), to node ids: file, class chain, name with its parameters
 * (parsers.md P1 to P20).
 */
export function parseJunitPytest(text: string): ParsedReport {
  return readJunit(text, pytestReport)
}

function pytestReport(found: Iterable<JunitCase>): ParsedReport {
  const report = reportBuilder()
  const cases = [...found]
  const modules = modulesOf(cases)
  for (const testcase of cases) {
    const { classname = '', name = '', file = '' } = testcase.attributes
    if (name === '' || classname.length > MAX_CLASSNAME) report.malformed()
    else if (classname === '')
      addScope(report, testcase, file || modules.files.get(name) || `${name.replaceAll('.', '/')}.py`)
    else report.add(canonicalId(`${modules.scope(classname, file)}::${name}`), statusOf(testcase))
  }
  return report.report()
}

function statusOf(testcase: JunitCase): TestStatus {
  const skipped = testcase.marks.find(({ kind }) => kind === 'skipped')
  const status = caseStatus(testcase)
  return status === 'SKIPPED' && skipped?.type === 'pytest.xfail' ? 'XFAIL' : status
}

/** A file that did not load, or that skips itself. */
function addScope(report: ReturnType<typeof reportBuilder>, testcase: JunitCase, file: string): void {
  const status = statusOf(testcase)
  if (status === 'ERROR' || status === 'FAILED') report.unload(canonicalId(file))
  else if (status === 'SKIPPED') report.add(canonicalId(file), status)
}

function scopeOf(classname: string, file: string, modules: Modules): string {
  const own = modules.of(file)
  if (classname === own) return file
  if (own !== '' && classname.startsWith(`${own}.`))
    return `${file}::${classname.slice(own.length + 1).replaceAll('.', '::')}`
  return inheritedScope(classname, modules)
}

/**
 * A method that a class inherits from another file: `file` names where the method is written, the class name where the
 * test is. The module's file is known from its other tests, else the class chain begins at the first capital.
 */
function inheritedScope(classname: string, modules: Modules): string {
  const parts = classname.split('.')
  for (let end = Math.min(parts.length, MAX_DEPTH); end > 0; end--) {
    const file = modules.files.get(parts.slice(0, end).join('.'))
    if (file !== undefined) return [file, ...parts.slice(end)].join('::')
  }
  const first = parts.findIndex((part, at) => at > 0 && /^[A-Z]/.test(part))
  const end = first < 0 ? parts.length : first
  return [`${parts.slice(0, end).join('/')}.py`, ...parts.slice(end)].join('::')
}

/** Parts of a class name in which a module is looked for, and its length: they bound the work on a hostile one. */
const MAX_DEPTH = 32
const MAX_CLASSNAME = 4096

interface Modules {
  /** Files by module, from cases whose class name begins with the module of their file. */
  readonly files: ReadonlyMap<string, string>
  /** `tests/test_a.py` is `tests.test_a`; another file keeps its extension, as pytest writes it. */
  of(file: string): string
  /** What stands before the name in an id: file and class chain. */
  scope(classname: string, file: string): string
}

function modulesOf(cases: readonly JunitCase[]): Modules {
  const known = new Map<string, string>()
  const of = (file: string) => {
    const found = known.get(file)
    if (found !== undefined) return found
    const module = file.replaceAll('/', '.').replace(/\.py$/, '')
    known.set(file, module)
    return module
  }
  const files = new Map<string, string>()
  for (const { attributes } of cases) {
    const { classname = '', file = '' } = attributes
    const own = of(file)
    if (own !== '' && (classname === own || classname.startsWith(`${own}.`))) files.set(own, file)
  }
  /** By file and class name: two steps are cheaper than one joined key for each of a million cases. */
  const scopes = new Map<string, Map<string, string>>()
  const modules: Modules = {
    files,
    of,
    scope(classname, file) {
      const ofFile = scopes.get(file) ?? new Map<string, string>()
      if (ofFile.size === 0) scopes.set(file, ofFile)
      const found = ofFile.get(classname)
      if (found !== undefined) return found
      const scope = scopeOf(classname, file, modules)
      ofFile.set(classname, scope)
      return scope
    },
  }
  return modules
}
