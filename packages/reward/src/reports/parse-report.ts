import { decodeUtf8, type ParsedReport, type ReportFormat } from '@r2e/spec'
import { parseEvents } from './events-jsonl.ts'
import { parseGoJson } from './go-json.ts'
import { parseJunitXml } from './junit-xml.ts'
import { parsePytestText } from './text-pytest.ts'

const parsers: Readonly<Record<ReportFormat, (text: string) => ParsedReport>> = {
  'junit-xml': parseJunitXml,
  'go-json': parseGoJson,
  'events-jsonl': parseEvents,
  'text-pytest': parsePytestText,
}

/**
 * Reads one report. Undecodable bytes are replaced, never a verdict. A report that cannot be read as a whole has
 * `error` and no tests. Linear in the input. Gives exactly what `grade.py parse` gives.
 */
export function parseReport(format: ReportFormat, bytes: Uint8Array): ParsedReport {
  return parsers[format](decodeUtf8(bytes))
}
