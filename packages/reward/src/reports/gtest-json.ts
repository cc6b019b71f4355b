import type { ParsedReport, TestStatus } from '@r2e/spec'
import { parseJson } from './json.ts'
import { canonicalId, reportBuilder, unreadable } from './report-builder.ts'
import { programOf } from './test-program.ts'

/**
 * The JSON report of a GoogleTest program, to `<program>::Suite.Name` with every suffix of typed and parametrised tests
 * (parsers.md X10). A failure outside all tests, as in SetUpTestSuite, makes the suite unloaded: its tests are then
 * reported as skipped, and are left out.
 */
export function parseGtestJson(text: string, path: string): ParsedReport {
  const report = reportBuilder()
  const program = programOf(path, 'gtest')
  const document = parseDocument(text)
  if (typeof document === 'string') return unreadable(document)
  for (const suite of rowsOf(document, 'testsuites')) {
    const rows = rowsOf(suite, 'testsuite')
    const broken = rows.some((row) => row.name === '' && rowsOf(row, 'failures').length > 0)
    if (broken) report.unload(canonicalId(`${program}::${nameOf(suite)}`))
    for (const row of rows) {
      const status = statusOf(row)
      if (row.name === '') continue
      if (nameOf(suite) === '' || nameOf(row) === '' || status === undefined) report.malformed()
      else if (!(broken && status === 'SKIPPED'))
        report.add(canonicalId(`${program}::${nameOf(suite)}.${nameOf(row)}`), status)
    }
  }
  return report.report()
}

type Row = Readonly<Record<string, unknown>>

function parseDocument(text: string): Row | string {
  if (text.trim() === '') return 'the report is empty'
  try {
    const value = parseJson(text.replace(/^\ufeff/, ''))
    if (isRow(value) && Array.isArray(value.testsuites)) return value
  } catch {
    return 'the report is not JSON'
  }
  return 'the report lists no test suites'
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function rowsOf(value: Row, key: string): readonly Row[] {
  const rows = value[key]
  return Array.isArray(rows) ? rows.filter(isRow) : []
}

function nameOf({ name }: Row): string {
  return typeof name === 'string' ? name : ''
}

function statusOf(row: Row): TestStatus | undefined {
  if (row.status === 'NOTRUN') return 'SKIPPED'
  if (row.status !== 'RUN') return undefined
  if (rowsOf(row, 'failures').length > 0) return 'FAILED'
  if (row.result === 'SKIPPED') return 'SKIPPED'
  return row.result === undefined || row.result === 'COMPLETED' ? 'PASSED' : undefined
}
