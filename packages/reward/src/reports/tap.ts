import type { ParsedReport } from '@r2e/spec'
import { canonicalId, reportBuilder, unreadable } from './report-builder.ts'
import { readTap, type TapLevel, type TapPoint } from './tap-document.ts'

/** UTF-16 units of all ids together: titles that repeat at every test below them would else grow without bound. */
const MOST_ID_UNITS = 64 * 1024 * 1024

/**
 * TAP 13 or 14 with a subtest per file at its first level, as `tap_files.mjs` of the grader prints it: ids are
 * `<file>::<subtest> > <title>`. Leaf points alone are tests, and a parent that fails though nothing below it does. A
 * file that broke off (no plan, another count than planned, a bail out, no end) or failed by itself is unloaded.
 */
export function parseTap(text: string): ParsedReport {
  const report = reportBuilder()
  let units = 0
  const document = readTap(text)
  if (!document) return unreadable('the report lists too many tests')
  for (const file of document.points) {
    const scope = canonicalId(file.path)
    const itself = ({ path, level }: TapPoint) => path === file.path && level === undefined
    const failures = file.level ? testsBelow(file.level, `${scope}::`, itself) : 0
    if (units > MOST_ID_UNITS) return unreadable('the titles are too long')
    if (file.status === 'SKIPPED' || file.level?.skipped) report.add(scope, 'SKIPPED')
    else if (!isWhole(file) || file.level?.points.some(itself) || (file.status === 'FAILED' && failures === 0))
      report.unload(scope)
  }
  return report.report()

  /** How many failures there are. A file that ends early is a point of its own name for node:test, and no test. */
  function testsBelow(level: TapLevel, prefix: string, isFile?: (point: TapPoint) => boolean): number {
    let failures = 0
    for (const point of level.plan === 0 ? [] : level.points) {
      if (isFile?.(point)) continue
      const name = prefix + point.path
      const below = point.level ? testsBelow(point.level, `${name} > `) : 0
      failures += below
      const isTest = point.level === undefined ? !point.isSuite : below === 0 && point.status === 'FAILED'
      if (!isTest || point.status === undefined) continue
      if (point.status === 'FAILED') failures++
      units += name.length
      if (units <= MOST_ID_UNITS) report.addNext(canonicalId(name), point.status)
    }
    return failures
  }
}

/** Whether a file came to its end, and all below it. */
function isWhole({ level, status }: TapPoint): boolean {
  if (status === undefined || level === undefined) return status !== undefined
  return !level.bailedOut && level.plan === level.count && level.points.every(isWhole)
}
