import type { TestStatus } from '@r2e/spec'

/** One `testcase` element. */
export interface JunitCase {
  readonly attributes: Readonly<Record<string, string>>
  /** Its error, failure and skipped children, in order. */
  readonly marks: readonly JunitMark[]
}

export interface JunitMark {
  readonly kind: 'error' | 'failure' | 'skipped'
  readonly type: string
  readonly message: string
}

export function markStatus({ marks }: JunitCase): TestStatus {
  if (marks.some(({ kind }) => kind === 'error')) return 'ERROR'
  if (marks.some(({ kind }) => kind === 'failure')) return 'FAILED'
  const skipped = marks.find(({ kind }) => kind === 'skipped')
  if (!skipped) return 'PASSED'
  return skipped.type === 'pytest.xfail' ? 'XFAIL' : 'SKIPPED'
}
