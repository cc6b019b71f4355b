import { decodeUtf8, type ParsedReport, type ReportFormat } from '@r2e/spec'
import { parseEvents } from './events-jsonl.ts'
import { parseGoJson } from './go-json.ts'
import { parseJunitGradle, parseJunitMaven } from './junit-jvm.ts'
import { parseJunitPytest } from './junit-pytest.ts'
import { parsePytestText } from './text-pytest.ts'
import { parseTrx } from './trx.ts'

type Parser = (text: string, path: string) => ParsedReport

const parsers: Readonly<Record<ReportFormat, Parser>> = {
  'events-jsonl': parseEvents,
  'go-json': parseGoJson,
  'junit-gradle': parseJunitGradle,
  'junit-maven': parseJunitMaven,
  'junit-pytest': parseJunitPytest,
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
