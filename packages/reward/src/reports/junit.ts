import type { ParsedReport, TestStatus } from '@r2e/spec'
import { unreadable } from './report-builder.ts'
import { type Attributes, walkXml } from './xml.ts'

/** One `testcase` element. */
export interface JunitCase {
  readonly attributes: Attributes
  /** Attributes of the `testsuite` elements around it, outermost first. */
  readonly suites: readonly Attributes[]
  /** Its children that say how it ended, in order. */
  readonly marks: readonly JunitMark[]
}

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
export function readJunit(text: string, convert: (cases: Iterable<JunitCase>) => ParsedReport): ParsedReport {
  const reading = readCases(text)
  let failure: string | undefined
  const report = convert({
    *[Symbol.iterator]() {
      failure = yield* reading
    },
  })
  return failure === undefined ? report : unreadable(failure)
}

/** The cases of a document, each forgotten here once it is passed on; at the end, why the document cannot be read. */
function* readCases(text: string): Generator<JunitCase, string | undefined> {
  let cases: { attributes: Attributes; suites: readonly Attributes[]; marks: JunitMark[] }[] = []
  const suites: (readonly Attributes[])[] = [[]]
  const walk = walkXml(text, /<\?xml|<testsuites?[ \t\r\n>/]/, {
    open(name, attributes) {
      if (name === 'testsuite') suites.push([...suites.at(-1)!, attributes])
      else if (name === 'testcase') cases.push({ attributes, suites: suites.at(-1)!, marks: [] })
      else if (isMark(name))
        cases.at(-1)?.marks.push({ kind: name, type: attributes.type ?? '', message: attributes.message ?? '' })
    },
    close(name) {
      if (name === 'testsuite') suites.pop()
    },
  })
  for (;;) {
    const step = walk.next()
    // the last one may still get marks
    const last = step.done ? undefined : cases.pop()
    yield* cases
    if (step.done) return step.value
    cases = last ? [last] : []
  }
}

function isMark(name: string): name is MarkKind {
  return MARKS.some((kind) => kind === name)
}
