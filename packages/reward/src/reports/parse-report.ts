import { decodeUtf8, type ParsedReport, type ReportFormat } from '@r2e/spec'
import { parseCatchXml } from './catch-xml.ts'
import { parseEvents } from './events-jsonl.ts'
import { parseGoJson } from './go-json.ts'
import { parseGtestJson } from './gtest-json.ts'
import { parseJestJson } from './jest-json.ts'
import { parseJunitBun } from './junit-bun.ts'
import { parseJunitCtest } from './junit-ctest.ts'
import { parseJunitGradle, parseJunitMaven } from './junit-jvm.ts'
import { parseJunitMeson } from './junit-meson.ts'
import { parseJunitNextest } from './junit-nextest.ts'
import { parseJunitPhpunit } from './junit-phpunit.ts'
import { parseJunitPytest } from './junit-pytest.ts'
import { parseLibtestJson } from './libtest-json.ts'
import { parseRspecJson } from './rspec-json.ts'
import { parseTap } from './tap.ts'
import { parsePytestText } from './text-pytest.ts'
import { parseTrx } from './trx.ts'

type Parser = (text: string, path: string) => ParsedReport

const parsers: Readonly<Record<ReportFormat, Parser>> = {
  'catch-xml': parseCatchXml,
  'events-jsonl': parseEvents,
  'go-json': parseGoJson,
  'gtest-json': parseGtestJson,
  'jest-json': parseJestJson,
  'junit-bun': parseJunitBun,
  'junit-ctest': parseJunitCtest,
  'junit-gradle': parseJunitGradle,
  'junit-maven': parseJunitMaven,
  'junit-meson': parseJunitMeson,
  'junit-nextest': parseJunitNextest,
  'junit-phpunit': parseJunitPhpunit,
  'junit-pytest': parseJunitPytest,
  'libtest-json': parseLibtestJson,
  'rspec-json': parseRspecJson,
  tap: parseTap,
  'text-pytest': parsePytestText,
  trx: parseTrx,
}

/**
 * Reads one report. Undecodable bytes are replaced, never a verdict. A report that cannot be read as a whole has
 * `error` and no tests. Linear in the input. Gives exactly what `grade.py parse` gives.
 *
 * @param path of the report below the work tree, for formats that name a test by where its report lies
 */
export function parseReport(format: ReportFormat, bytes: Uint8Array, path = ''): ParsedReport {
  return parsers[format](decodeUtf8(bytes), path)
}
