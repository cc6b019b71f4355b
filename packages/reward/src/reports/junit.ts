import type { ParsedReport, TestStatus } from '@r2e/spec'
import { SaxesParser } from 'saxes'
import { unreadable } from './report-builder.ts'

/** One `testcase` element. */
export interface JunitCase {
  readonly attributes: Attributes
  /** Attributes of the `testsuite` elements around it, outermost first. */
  readonly suites: readonly Attributes[]
  /** Its children that say how it ended, in order. */
  readonly marks: readonly JunitMark[]
}

export type Attributes = Readonly<Record<string, string>>

export interface JunitMark {
  readonly kind: MarkKind
  readonly type: string
  readonly message: string
}

export type MarkKind = (typeof MARKS)[number]

const MARKS = ['error', 'failure', 'skipped', 'flakyFailure', 'flakyError', 'rerunFailure', 'rerunError'] as const

export function caseStatus({ marks }: JunitCase): TestStatus {
  if (marks.some(({ kind }) => kind === 'error')) return 'ERROR'
  if (marks.some(({ kind }) => kind === 'failure')) return 'FAILED'
  return marks.some(({ kind }) => kind === 'skipped') ? 'SKIPPED' : 'PASSED'
}

/**
 * JUnit XML, whoever wrote it; `convert` is the writer's dialect. Text before the document is cut; a document type, a
 * truncated or interleaved document is an error.
 */
export function readJunit(text: string, convert: (cases: readonly JunitCase[]) => ParsedReport): ParsedReport {
  const cases = readCases(text)
  return typeof cases === 'string' ? unreadable(cases) : convert(cases)
}

/** The cases of a document, or why it cannot be read. */
function readCases(text: string): JunitCase[] | string {
  const start = text.search(/<\?xml|<testsuites?[\s>/]/)
  if (start < 0) return text.trim() === '' ? 'the report is empty' : 'the report holds no XML document'
  const parser = new SaxesParser()
  const cases: { attributes: Attributes; suites: readonly Attributes[]; marks: JunitMark[] }[] = []
  const suites: (readonly Attributes[])[] = [[]]
  let failure: string | undefined
  const stop = (message: string) => {
    failure ??= message
    throw new Error(message)
  }
  parser.on('error', (error) => stop(`the XML is not well-formed: ${error.message}`))
  parser.on('doctype', () => stop('the XML has a document type'))
  let depth = 0
  parser.on('closetag', ({ name }) => {
    depth--
    if (name === 'testsuite') suites.pop()
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (++depth > MAX_DEPTH) stop('the XML is nested too deeply')
    if (name === 'testsuite') suites.push([...suites.at(-1)!, attributes])
    else if (name === 'testcase') cases.push({ attributes, suites: suites.at(-1)!, marks: [] })
    else if (isMark(name))
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

function isMark(name: string): name is MarkKind {
  return MARKS.some((kind) => kind === name)
}

const MAX_DEPTH = 100

/** Characters that XML forbids, as a careless writer passes them on. */
const ILLEGAL = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g
