import type { ParsedReport, TestStatus } from '@r2e/spec'
import { readJsonLines } from './json-lines.ts'
import { canonicalId, reportBuilder } from './report-builder.ts'

interface GoTest {
  readonly id: string
  ended: boolean
  /** Status by a `--- PASS:` in its output: older versions lose the end event behind output without a newline. */
  marker: TestStatus | undefined
}

interface GoPackage {
  ended: boolean
  died: boolean
  /** The test binary itself said FAIL, so it came to its end. */
  saidFail: boolean
}

const ENDS: Readonly<Record<string, TestStatus>> = { pass: 'PASSED', fail: 'FAILED', skip: 'SKIPPED' }
const MARKERS = { PASS: 'PASSED', FAIL: 'FAILED', SKIP: 'SKIPPED' } as const

/**
 * `go test -json`: ids are `<package>::<test>`. A test without an end is ERROR; a package that did not build, or ended
 * without saying FAIL or PASS, is unloaded (parsers.md G1 to G9). What a test prints arrives inside output events and
 * is no result.
 */
export function parseGoJson(text: string): ParsedReport {
  const report = reportBuilder()
  const tests = new Map<string, GoTest>()
  const packages = new Map<string, GoPackage>()
  for (const { value } of readJsonLines(text, wanted)) {
    if (typeof value?.Action !== 'string') report.malformed()
    else if (typeof value.Package === 'string') {
      const { Action: action, Package: name, Test: test, Output: output = '' } = value
      if (typeof test === 'string') {
        if (!test.startsWith('Benchmark')) testEvent(entry(tests, `${name}::${test}`, newTest), action, String(output))
      } else packageEvent(entry(packages, name, newPackage), action, value)
    }
  }
  for (const test of tests.values()) if (!test.ended) report.add(canonicalId(test.id), test.marker ?? 'ERROR')
  for (const [name, state] of packages) if (!state.ended || state.died) report.unload(canonicalId(name))
  return report.report()

  function testEvent(test: GoTest, action: string, output: string): void {
    const status = Object.hasOwn(ENDS, action) ? ENDS[action] : undefined
    if (status) {
      test.ended = true
      report.add(canonicalId(test.id), status)
    } else if (action === 'output') test.marker ??= markerIn(output, test.id.slice(test.id.indexOf('::') + 2))
  }
}

/** Most lines are output that says nothing: they are not even parsed. */
function wanted(line: string): boolean {
  return !line.includes('"Action":"output"') || line.includes('--- ') || line.includes('FAIL') || !line.endsWith('}')
}

function entry<T>(map: Map<string, T>, key: string, create: (key: string) => T): T {
  let value = map.get(key)
  if (value === undefined) {
    value = create(key)
    map.set(key, value)
  }
  return value
}

function newTest(id: string): GoTest {
  return { id, ended: false, marker: undefined }
}

function newPackage(): GoPackage {
  return { ended: false, died: false, saidFail: false }
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

function markerIn(output: string, name: string): TestStatus | undefined {
  for (const [verb, status] of Object.entries(MARKERS)) if (output.includes(`--- ${verb}: ${name} (`)) return status
  return undefined
}
