import type { ParsedReport } from '@r2e/spec'
import { SaxesParser } from 'saxes'
import type { JunitCase, JunitMark } from './junit-case.ts'
import { pytestReport } from './junit-pytest.ts'
import { unreadable } from './report-builder.ts'

/**
 * JUnit XML as pytest writes it (`junit_family=xunit1`); another writer is another mapping from cases to ids. Text
 * before the document is cut; a document type, a truncated or interleaved document is an error.
 */
export function parseJunitXml(text: string): ParsedReport {
  const cases = readCases(text)
  return typeof cases === 'string' ? unreadable(cases) : pytestReport(cases)
}

/** The cases of a document, or why it cannot be read. */
function readCases(text: string): JunitCase[] | string {
  const start = text.search(/<\?xml|<testsuites?[\s>/]/)
  if (start < 0) return text.trim() === '' ? 'the report is empty' : 'the report holds no XML document'
  const parser = new SaxesParser()
  const cases: { attributes: Record<string, string>; marks: JunitMark[] }[] = []
  let failure: string | undefined
  const stop = (message: string) => {
    failure ??= message
    throw new Error(message)
  }
  parser.on('error', (error) => stop(`the XML is not well-formed: ${error.message}`))
  parser.on('doctype', () => stop('the XML has a document type'))
  let depth = 0
  parser.on('closetag', () => void depth--)
  parser.on('opentag', ({ name, attributes }) => {
    if (++depth > MAX_DEPTH) stop('the XML is nested too deeply')
    if (name === 'testcase') cases.push({ attributes, marks: [] })
    else if (name === 'error' || name === 'failure' || name === 'skipped')
      cases.at(-1)?.marks.push({ kind: name, type: attributes.type ?? '', message: attributes.message ?? '' })
  })
  try {
    parser.write(text.slice(start).replace(ILLEGAL, '\ufffd')).close()
  } catch (error) {
    if (failure === undefined) throw error
    return failure
  }
  return cases
}

const MAX_DEPTH = 100

/** Characters that XML forbids, as a careless writer passes them on. */
const ILLEGAL = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g
