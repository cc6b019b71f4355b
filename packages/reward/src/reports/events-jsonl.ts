import { type ParsedReport, STATUS_ORDER, type TestStatus } from '@r2e/spec'
import { readJsonLines } from './json-lines.ts'
import { canonicalId, reportBuilder } from './report-builder.ts'

/**
 * One JSON object per line, as the reporters of `@r2e/grader` write them:
 * `module` (a scope that will run), `start` and `end` of a test (`id`, `status`), `unloaded` (`scope`), `done` (the
 * runner came to its end). Without `done` a started test is ERROR and every module unloaded.
 */
export function parseEvents(text: string): ParsedReport {
  const report = reportBuilder()
  const modules: string[] = []
  const running = new Set<string>()
  let done = false
  for (const { value } of readJsonLines(text, () => true)) {
    const id = typeof value?.id === 'string' ? canonicalId(value.id) : ''
    const scope = typeof value?.scope === 'string' ? canonicalId(value.scope) : ''
    if (value?.event === 'done') done = true
    else if (value?.event === 'module' && scope) modules.push(scope)
    else if (value?.event === 'unloaded' && scope) report.unload(scope)
    else if (value?.event === 'start' && id) running.add(id)
    else if (value?.event === 'end' && id && isStatus(value.status)) {
      running.delete(id)
      report.add(id, value.status)
    } else report.malformed()
  }
  for (const id of running) report.add(id, 'ERROR')
  if (!done) for (const scope of modules) report.unload(scope)
  return report.report()
}

function isStatus(value: unknown): value is TestStatus {
  return STATUS_ORDER.some((status) => status === value)
}
