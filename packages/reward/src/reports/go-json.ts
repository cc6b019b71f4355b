import type { ParsedReport, TestStatus } from '@r2e/spec'
import { readJsonLines } from './json.ts'
import { canonicalId, type ReportBuilder, reportBuilder } from './report-builder.ts'

interface GoPackage {
  ended: boolean
  died: boolean
  /** The test binary itself said FAIL, so it came to its end. */
  saidFail: boolean
  /** It said PASS or FAIL behind all of its tests. */
  closed: boolean
  /** Tests without an end yet, each with the status that its output gives it, if any. */
  readonly running: Map<string, TestStatus | undefined>
  /** The test that ended, where that is the last event. */
  lastEnd: string | undefined
}

const MARKERS = { PASS: 'PASSED', FAIL: 'FAILED', SKIP: 'SKIPPED' } as const
const ENDS: Readonly<Record<string, TestStatus>> = { pass: 'PASSED', fail: 'FAILED', skip: 'SKIPPED' }

/**
 * `go test -json`: ids are `<package>::<test>`. A test without an end is ERROR and its package unloaded, as one
 * that did not build or failed without saying FAIL (parsers.md G1 to G9). What a test prints is no result, but for older
 * versions, which lose an end behind output without a newline: a marker counts where the package came to its own end.
 */
export function parseGoJson(text: string): ParsedReport {
  const report = reportBuilder()
  const packages = new Map<string, GoPackage>()
  for (const { value } of readJsonLines(text, wanted)) {
    if (typeof value?.Action !== 'string') report.malformed()
    else if (typeof value.Package === 'string') {
      const { Action: action, Package: name, Test: test } = value
      if (typeof test !== 'string') packageEvent(entry(packages, name), action, value)
      else if (action === 'output') noteMarker(entry(packages, name), `${name}::${test}`, value)
      else if (!test.startsWith('Benchmark'))
        testEvent(entry(packages, name), { id: `${name}::${test}`, action }, report)
    }
  }
  for (const [name, state] of packages) {
    const open = openTests(state)
    for (const [id, status] of open) report.add(canonicalId(id), status ?? 'ERROR')
    if (open.some(([, status]) => status === undefined) || state.died || !state.ended) report.unload(canonicalId(name))
  }
  return report.report()
}

/** Most lines are output that says nothing: they are not even parsed. */
function wanted(line: string): boolean {
  return (
    !line.includes('"Action":"output"') ||
    line.includes('FAIL') ||
    line.includes('--- ') ||
    line.includes('"PASS') ||
    !line.endsWith('}')
  )
}

function entry(packages: Map<string, GoPackage>, name: string): GoPackage {
  const known = packages.get(name)
  if (known) return known
  const running: GoPackage['running'] = new Map()
  const created = { ended: false, died: false, saidFail: false, closed: false, running, lastEnd: undefined }
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
  state.closed = false
  if (status) {
    state.running.delete(id)
    report.add(canonicalId(id), status)
  } else state.running.set(id, state.running.get(id))
}

function noteMarker(state: GoPackage, id: string, { Test, Output }: Readonly<Record<string, unknown>>): void {
  const { running } = state
  state.closed = false
  if (typeof Output !== 'string' || !running.has(id) || running.get(id) !== undefined) return
  const found = Object.entries(MARKERS).find(([verb]) => Output.includes(`--- ${verb}: ${Test} (`))
  if (found) running.set(id, found[1])
}

function packageEvent(state: GoPackage, action: string, value: Readonly<Record<string, unknown>>): void {
  const output = typeof value.Output === 'string' ? value.Output : ''
  if (action === 'output' && output.endsWith('FAIL\n')) state.saidFail = true
  if (action === 'output' && /(?:PASS|FAIL)\n$/.test(output)) state.closed = true
  if (action === 'output' && /^FAIL\t.* \[(?:build|setup) failed\]\n?$/.test(output)) state.died = true
  if (action === 'pass' || action === 'skip') state.ended = true
  if (action !== 'fail') return
  state.ended = true
  if (!state.saidFail || typeof value.FailedBuild === 'string') state.died = true
}

/** Where the process exits with 0 inside a test, go names the end of the package as the end of that test. */
function openTests({ ended, lastEnd, running, closed }: GoPackage) {
  const open = [...running].map(([id, marker]) => [id, closed ? marker : undefined] as const)
  return ended || lastEnd === undefined ? open : [...open, [lastEnd, undefined] as const]
}
