import { type ParsedReport, STATUS_ORDER, type TestStatus } from '@r2e/spec'
import { readJsonLines } from './json.ts'
import { canonicalId, reportBuilder } from './report-builder.ts'

/**
 * One JSON object per line, as the reporters of `@r2e/grader` write them:
 * `module` (a scope that will run), `start` and `end` of a test (`id`, `status`, and `nth` from 2 where several tests
 * have one id), `unloaded` (`scope`), `done` (the runner came to its end). Without `done` a started test is ERROR and
 * every module unloaded.
 */
export function parseEvents(text: string): ParsedReport {
  const report = reportBuilder()
  const modules: string[] = []
  const running = new Map<string, { readonly id: string; readonly nth: number }>()
  let done = false
  for (const { value } of readJsonLines(text, () => true)) {
    const id = typeof value?.id === 'string' ? canonicalId(value.id) : ''
    const scope = typeof value?.scope === 'string' ? canonicalId(value.scope) : ''
    const nth = value?.nth === undefined ? 1 : value.nth
    if (value?.event === 'done') done = true
    else if (value?.event === 'module' && scope) modules.push(scope)
    else if (value?.event === 'unloaded' && scope) report.unload(scope)
    else if (value?.event === 'start' && id && isOrdinal(nth)) running.set(`${nth} ${id}`, { id, nth })
    else if (value?.event === 'end' && id && isOrdinal(nth) && isStatus(value.status)) {
      running.delete(`${nth} ${id}`)
      report.add(id, value.status, nth)
    } else report.malformed()
  }
  for (const { id, nth } of running.values()) report.add(id, 'ERROR', nth)
  if (!done) for (const scope of modules) report.unload(scope)
  return report.report()
}

function isOrdinal(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 1e9
}

function isStatus(value: unknown): value is TestStatus {
  return STATUS_ORDER.some((status) => status === value)
}
