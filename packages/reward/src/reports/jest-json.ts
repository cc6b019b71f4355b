import type { ParsedReport, TestStatus } from '@r2e/spec'
import { scopedId } from './describe-path.ts'
import { parseJson } from './json.ts'
import { canonicalId, ordinals, reportBuilder, unreadable } from './report-builder.ts'

const STATUSES: Readonly<Record<string, TestStatus>> = {
  passed: 'PASSED',
  failed: 'FAILED',
  pending: 'SKIPPED',
  skipped: 'SKIPPED',
  todo: 'SKIPPED',
  disabled: 'SKIPPED',
}

/** Where tests run: what a report says of a file begins with it. */
const WORK_TREE = '/app/'

/**
 * The JSON of jest (and of vitest's reporter of the same shape): ids are `<file>::<describe> > <title>`. A file that
 * failed though none of its tests did has not loaded, or a hook of it failed (parsers.md J1 to J3, J9, J10).
 */
export function parseJestJson(text: string): ParsedReport {
  const files = filesOf(text)
  if (typeof files === 'string') return unreadable(files)
  const report = reportBuilder()
  const scopes = new Set<string>()
  for (const file of files) {
    if (!isObject(file) || typeof file.name !== 'string' || !Array.isArray(file.assertionResults)) {
      report.malformed()
      continue
    }
    const scope = file.name.startsWith(WORK_TREE) ? file.name.slice(WORK_TREE.length) : file.name
    // Another project may run the file too: its first test of a name is the same as the first here.
    const nth = scopes.has(scope) ? ordinals() : undefined
    scopes.add(scope)
    let failures = 0
    for (const result of file.assertionResults) {
      const status = statusOf(result)
      if (status === undefined) report.malformed()
      else {
        const id = canonicalId(scopedId(scope, titlesOf(result)))
        if (nth) report.add(id, status, nth(id))
        else report.addNext(id, status)
      }
      if (status === 'FAILED') failures++
    }
    if (file.status === 'failed' && failures === 0) report.unload(canonicalId(scope))
  }
  return report.report()
}

function filesOf(text: string): readonly unknown[] | string {
  if (text.trim() === '') return 'the report is empty'
  try {
    const value = parseJson(text)
    return isObject(value) && Array.isArray(value.testResults) ? value.testResults : 'the JSON holds no testResults'
  } catch {
    return 'the report is no JSON'
  }
}

/** A test that passed at a later attempt failed; one that must fail and does so is expected to. */
function statusOf(result: unknown): TestStatus | undefined {
  if (!isObject(result) || typeof result.title !== 'string' || typeof result.status !== 'string') return undefined
  const status = Object.hasOwn(STATUSES, result.status) ? STATUSES[result.status] : undefined
  if (status !== 'PASSED') return status
  if (typeof result.invocations === 'number' && result.invocations > 1) return 'FAILED'
  return result.failing === true ? 'XFAIL' : 'PASSED'
}

function titlesOf(result: unknown): readonly string[] {
  const { ancestorTitles, title } = result as { ancestorTitles?: unknown; title: string }
  const above = Array.isArray(ancestorTitles) ? ancestorTitles.filter((level) => typeof level === 'string') : []
  return [...above, title]
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
