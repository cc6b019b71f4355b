import type { ParsedReport } from '@r2e/spec'
import { type JunitCase, markStatus } from './junit-xml.ts'
import { canonicalId, reportBuilder } from './report-builder.ts'

/** Cases of pytest's own XML to node ids: file, class chain, name with its parameters (parsers.md P1 to P20). */
export function pytestReport(cases: readonly JunitCase[]): ParsedReport {
  const report = reportBuilder()
  const files = moduleFiles(cases)
  for (const testcase of cases) {
    const { classname = '', name = '', file = '' } = testcase.attributes
    if (name === '') report.malformed()
    else if (classname === '') addScope(report, testcase, file || files.get(name) || `${name.replaceAll('.', '/')}.py`)
    else report.add(canonicalId(nodeId(classname, name, file, files)), markStatus(testcase))
  }
  return report.report()
}

/** A file that did not load, or that skips itself. */
function addScope(report: ReturnType<typeof reportBuilder>, testcase: JunitCase, file: string): void {
  const status = markStatus(testcase)
  if (status === 'ERROR' || status === 'FAILED') report.unload(canonicalId(file))
  else if (status === 'SKIPPED') report.add(canonicalId(file), status)
}

function nodeId(classname: string, name: string, file: string, files: ReadonlyMap<string, string>): string {
  const own = moduleOf(file)
  if (classname === own) return `${file}::${name}`
  if (own !== '' && classname.startsWith(`${own}.`))
    return `${file}::${classname.slice(own.length + 1).replaceAll('.', '::')}::${name}`
  return inheritedId(classname, name, files)
}

/**
 * A method that a class inherits from another file: `file` names where the method is written, the class name where the
 * test is. The module's file is known from its other tests, else the class chain begins at the first capital.
 */
function inheritedId(classname: string, name: string, files: ReadonlyMap<string, string>): string {
  const parts = classname.split('.')
  for (let end = parts.length; end > 0; end--) {
    const file = files.get(parts.slice(0, end).join('.'))
    if (file !== undefined) return [file, ...parts.slice(end), name].join('::')
  }
  const first = parts.findIndex((part, at) => at > 0 && /^[A-Z]/.test(part))
  const end = first < 0 ? parts.length : first
  return [`${parts.slice(0, end).join('/')}.py`, ...parts.slice(end), name].join('::')
}

/** Files by module, from cases whose class name begins with the module of their file. */
function moduleFiles(cases: readonly JunitCase[]): Map<string, string> {
  const files = new Map<string, string>()
  for (const { attributes } of cases) {
    const { classname = '', file = '' } = attributes
    const own = moduleOf(file)
    if (own !== '' && (classname === own || classname.startsWith(`${own}.`))) files.set(own, file)
  }
  return files
}

/** `tests/test_a.py` is `tests.test_a`; another file keeps its extension, as pytest writes it. */
function moduleOf(file: string): string {
  return file.replaceAll('/', '.').replace(/\.py$/, '')
}
