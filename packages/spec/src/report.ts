/** ABSENT is not stored in a report: it is a wanted id that the report lacks. */
export type TestStatus = 'PASSED' | 'FAILED' | 'ERROR' | 'SKIPPED' | 'XFAIL' | 'XPASS'

/** From bad to good; where a report repeats an id the worst counts (parsers.md §1). */
export const STATUS_ORDER: readonly TestStatus[] = ['ERROR', 'FAILED', 'XPASS', 'SKIPPED', 'XFAIL', 'PASSED']

export type ReportFormat = (typeof REPORT_FORMATS)[number]

export const REPORT_FORMATS = [
  'catch-xml',
  'events-jsonl',
  'go-json',
  'gtest-json',
  'jest-json',
  'junit-bun',
  'junit-ctest',
  'junit-gradle',
  'junit-maven',
  'junit-meson',
  'junit-nextest',
  'junit-phpunit',
  'junit-pytest',
  'libtest-json',
  'rspec-json',
  'tap',
  'text-pytest',
  'trx',
] as const

/** What one parser makes of one report. */
export interface ParsedReport {
  readonly tests: Readonly<Record<string, TestStatus>>
  /**
   * Files, modules, classes or packages that failed to load or died before their end; tests of theirs may be absent.
   * A file that skips itself as a whole is in `tests`, under its path, as SKIPPED.
   */
  readonly unloaded: readonly string[]
  /** Lines or elements that could not be read and were counted, not guessed. */
  readonly malformed: number
  /** Why the report as a whole is not readable; `tests` is empty then. */
  readonly error?: string | undefined
}

/**
 * One run of a task's tests, as `/logs/verifier/tests.json` holds it (written by grade.py).
 * `timed_out`, `crashed` and `no_report` are never evidence for or against a test. `crashed`: a command could not be
 * started, was ended by a signal, or reports an internal error of the runner. `no_tests`: neither a test nor a scope
 * that failed to load.
 */
export interface TestReport {
  readonly schema: 'r2e.tests/1'
  readonly outcome: 'completed' | 'timed_out' | 'crashed'
  readonly parse_status: 'ok' | 'no_report' | 'no_tests' | 'malformed'
  /** The path and reason where parse_status is not ok. */
  readonly parse_detail?: string | undefined
  readonly tests: Readonly<Record<string, TestStatus>>
  readonly unloaded: readonly string[]
  readonly exit_codes: readonly number[]
  /** Seconds of CPU of the test processes, user and system, children included. */
  readonly cpu_sec: number
  readonly wall_sec: number
}
