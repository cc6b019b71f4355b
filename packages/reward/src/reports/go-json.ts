import type { ParsedReport, TestStatus } from '@r2e/spec'
import { readJsonLines } from './json-lines.ts'
import { canonicalId, type ReportBuilder, reportBuilder } from './report-builder.ts'

interface GoPackage {
  ended: boolean
  died: boolean
  /** The test binary itself said FAIL, so it came to its end. */
  saidFail: boolean
  readonly running: Set<string>
  /** The test that ended, where that is the last event. */
  lastEnd: string | undefined
}

const ENDS: Readonly<Record<string, TestStatus>> = { pass: 'PASSED', fail: 'FAILED', skip: 'SKIPPED' }

/**
 * `go test -json`: ids are `<package>::<test>`. A test without an end is ERROR, whatever its output says of it; its
 * package, and one that did not build or failed without saying FAIL, is unloaded (parsers.md G1 to G9). What a test
 * prints arrives inside output events and is no result.
 */
export function parseGoJson(text: string): ParsedReport {
  const report = reportBuilder()
  const packages = new Map<string, GoPackage>()
  for (const { value } of readJsonLines(text, wanted)) {
    if (typeof value?.Action !== 'string') report.malformed()
    else if (typeof value.Package === 'string') {
      const { Action: action, Package: name, Test: test } = value
      if (typeof test !== 'string') packageEvent(entry(packages, name), action, value)
      else if (action !== 'output' && !test.startsWith('Benchmark'))
        testEvent(entry(packages, name), { id: `${name}::${test}`, action }, report)
    }
  }
  for (const [name, state] of packages) {
    const open = openTests(state)
    for (const id of open) report.add(canonicalId(id), 'ERROR')
    if (open.length > 0 || state.died || !state.ended) report.unload(canonicalId(name))
  }
  return report.report()
}

/** Most lines are output that says nothing: they are not even parsed. */
function wanted(line: string): boolean {
  return !line.includes('"Action":"output"') || line.includes('FAIL') || !line.endsWith('}')
}

function entry(packages: Map<string, GoPackage>, name: string): GoPackage {
  const known = packages.get(name)
  if (known) return known
  const created = { ended: false, died: false, saidFail: false, running: new Set<string>(), lastEnd: undefined }
  packages.set(name, created)
  return created
}

interface TestEvent {
  readonly id: string
  readonly action: string
}

function testEvent(state: GoPackage, { id, action }: TestEvent, report: ReportBuilder): void {
  const status = Object.hasOwn(ENDS, action) ? ENDS[action] : undefined
  state.lastEnd = status && id
  if (status) {
    state.running.delete(id)
    report.add(canonicalId(id), status)
  } else state.running.add(id)
}

function packageEvent(state: GoPackage, action: string, value: Readonly<Record<string, unknown>>): void {
  const output = typeof value.Output === 'string' ? value.Output : ''
  if (action === 'output' && output.endsWith('FAIL\n')) state.saidFail = true
  if (action === 'output' && /^FAIL\t.* \[(?:build|setup) failed\]\n?$/.test(output)) state.died = true
  if (action === 'pass' || action === 'skip') state.ended = true
  if (action !== 'fail') return
  state.ended = true
  if (!state.saidFail || typeof value.FailedBuild === 'string') state.died = true
}

/** Where the process exits with 0 inside a test, go names the end of the package as the end of that test. */
function openTests({ ended, lastEnd, running }: GoPackage): readonly string[] {
  return ended || lastEnd === undefined ? [...running] : [...running, lastEnd]
}
