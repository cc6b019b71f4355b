import type { ParsedReport, TestStatus } from '@r2e/spec'
import { readJsonLines } from './json.ts'
import { canonicalId, type ReportBuilder, reportBuilder, unreadable } from './report-builder.ts'

const ENDS: Readonly<Record<string, TestStatus>> = Object.assign(Object.create(null), {
  ok: 'PASSED',
  failed: 'FAILED',
  ignored: 'SKIPPED',
})

/**
 * The stream of `cargo_tests.py`: libtest's own JSON events between a `target` and an `exit` line for each test
 * program, `unbuilt` for one that did not compile, `done` at the end (parsers.md R1 to R9). A test without an end is
 * ERROR; a program is unloaded that left before its suite ended or before all tests that it announced, or whose exit code
 * tells of a failure that no test does. A program without libtest is one test, `main`.
 * Without `done` the stream was cut off and says nothing.
 */
export function parseLibtestJson(text: string): ParsedReport {
  const report = reportBuilder()
  let target: Program | undefined
  let done = false
  for (const { value } of readJsonLines(text, () => true)) {
    const name = typeof value?.name === 'string' ? value.name : ''
    if (value?.type === 'done') done = true
    else if (value?.type === 'unbuilt' && name) report.unload(canonicalId(name))
    else if (value?.type === 'target' && name) {
      target?.leave(undefined)
      target = program(name, report)
    } else if (value?.type === 'exit' && target) {
      target.leave(value.code)
      target = undefined
    } else if (!target?.hear(value ?? {}, name)) report.malformed()
  }
  return done ? report.report() : unreadable('the run did not come to its end')
}

interface Program {
  /** Whether an event is one of libtest's and in its place. */
  hear(value: Readonly<Record<string, unknown>>, name: string): boolean
  /** At its exit; without a number its end was never seen. */
  leave(code: unknown): void
}

function program(scope: string, report: ReportBuilder): Program {
  const running = new Set<string>()
  const ended = new Set<string>()
  let suites = 0
  let open = 0
  let missing = 0
  /** Every suite said how many tests it has. */
  let counts = true
  let failed = false
  return {
    hear({ type, event, test_count: count }, name) {
      if (typeof event !== 'string') return false
      if (type === 'suite') suite(event, count)
      else if (type !== 'test' || name === '') return false
      else if (event === 'started') start(name)
      else if (ENDS[event] && (running.delete(name) || ended.has(name))) end(name, ENDS[event])
      else return event === 'timeout' // has run long and goes on
      return true
    },
    leave(code) {
      for (const name of running) report.add(testId(scope, name), 'ERROR')
      if (suites === 0 && code === 0) report.add(canonicalId(`${scope}::main`), 'PASSED')
      else if (!isWhole(code)) report.unload(canonicalId(scope))
    },
  }

  function suite(event: string, count: unknown): void {
    if (event !== 'started') {
      open = Math.max(0, open - 1)
      return
    }
    suites++
    open++
    if (typeof count === 'number') missing += count
    else counts = false
  }

  function start(name: string): void {
    running.add(name)
    missing--
  }

  function end(name: string, status: TestStatus): void {
    ended.add(name)
    if (status === 'FAILED') failed = true
    report.add(testId(scope, name), status)
  }

  /** Whether it told of all tests that it announced, and its exit code says the same as they do. */
  function isWhole(code: unknown): boolean {
    const told = suites > 0 && open === 0 && (missing === 0 || !counts)
    return told && typeof code === 'number' && (code === 0 || (code > 0 && failed))
  }
}

/** `crate/lib::mod::t`; of a doc test its file and item: `crate/doc:src/lib.rs::Type::method`, `crate` for the crate's own. */
function testId(scope: string, name: string): string {
  const at = name.lastIndexOf(' (line ')
  if (!scope.endsWith('/doc') || at < 0) return canonicalId(`${scope}::${name.replace(/ - should panic$/, '')}`)
  const [file, item] = halves(name.slice(0, at))
  return canonicalId(`${scope}:${file}::${item}`)
}

function halves(text: string): [string, string] {
  const at = text.indexOf(' - ')
  if (at >= 0) return [text.slice(0, at), text.slice(at + 3)]
  return [text.replace(/ -$/, ''), 'crate']
}
