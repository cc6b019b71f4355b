import type { TestReport, TestStatus } from '@r2e/spec'
import { isScopeOf, scopesOf } from './scope.ts'

export type Origin = 'fail' | 'error' | 'absent'

export interface Observations {
  /** The untouched repository, once. Absent = never seen: no test is known to have passed. */
  readonly base: TestReport | undefined
  /** Base plus hidden tests, at least one run. */
  readonly broken: readonly TestReport[]
  /** `broken` plus the oracle, at least one run. */
  readonly solved: readonly TestReport[]
  /** Whether a test can come from a hidden file (function-level where the language pack can tell). */
  readonly inHidden: (id: string) => boolean
  /** Whether the hidden files cannot have changed a test: for it the base is one more run of `broken`. Default: never. */
  readonly sameAsBase?: ((id: string) => boolean) | undefined
  /** Whether a test stands in a source file, so that the solution itself may have brought or removed it. Default: never. */
  readonly inSource?: ((id: string) => boolean) | undefined
  readonly failToPassFrom?: readonly Origin[] | undefined
  /** Tests, as {@link parametrisedTest} names them, that are known to move from elsewhere: none of their cases is listed. */
  readonly restless?: ReadonlySet<string> | undefined
}

export interface Classes {
  readonly kind: 'classes'
  /** Sorted; so are the other lists. */
  readonly failToPass: readonly string[]
  readonly passToPass: readonly string[]
  /** Ids whose status differs between runs of one state, the other cases of their parametrised tests, and `restless`: in neither list. */
  readonly quarantined: readonly string[]
  /** PASSED in every broken run and in no solved run, outside the hidden files: the oracle breaks them. */
  readonly regressions: readonly string[]
  /** How each fail-to-pass test did not pass before. */
  readonly origins: Readonly<Record<string, Origin>>
}

/** A run that is no evidence for or against any test. */
export interface Infrastructure {
  readonly kind: 'infrastructure'
  readonly state: 'base' | 'broken' | 'solved'
  readonly run: number
  /** `timed_out`, `crashed`, `no_report`, `no_tests`, `malformed`, or `not_run` where a state has no run. */
  readonly reason: string
  readonly detail: string
}

type Status = TestStatus | 'ABSENT'

/** Sorts test ids into classes (contract §3, Classes). Pure; the same reports give the same lists. */
export function classify(input: Observations): Classes | Infrastructure {
  const fault = findFault(input)
  if (fault) return fault
  const ids = allIds([...input.broken, ...input.solved])
  const moving = ids.filter((id) => moves(input, id))
  const restless = new Set([...moving.map(parametrisedTest), ...(input.restless ?? [])])
  const failToPass: string[] = []
  const passToPass: string[] = []
  const regressions: string[] = []
  const origins: Record<string, Origin> = Object.create(null)
  const accepted = new Set(input.failToPassFrom ?? ['fail', 'error', 'absent'])
  for (const id of ids.filter((candidate) => !restless.has(parametrisedTest(candidate)))) {
    const broken = statusOf(input.broken[0]!, id)
    const solved = statusOf(input.solved[0]!, id)
    if (solved !== 'PASSED') {
      const removed = solved === 'ABSENT' && inSourceAlone(input, id)
      if (broken === 'PASSED' && !input.inHidden(id) && !removed) regressions.push(id)
    } else if (broken === 'PASSED' || keptByBase(input, id, broken)) passToPass.push(id)
    else {
      const origin = originOf(input, id, broken)
      if (!origin || !accepted.has(origin)) continue
      failToPass.push(id)
      origins[id] = origin
    }
  }
  const quarantined = ids.filter((id) => restless.has(parametrisedTest(id)))
  return { kind: 'classes', failToPass, passToPass, quarantined, regressions, origins: { ...origins } }
}

/**
 * The parametrised test that a case belongs to. What makes one case move is in the function that they share, and the
 * others only have not been seen to move yet.
 */
export function parametrisedTest(id: string): string {
  const parameters = id.endsWith(']') ? id.indexOf('[', id.indexOf('::') + 2) : -1
  return parameters < 0 ? id : id.slice(0, parameters)
}

function findFault({ base, broken, solved }: Observations): Infrastructure | undefined {
  const states = { base: base ? [base] : [], broken, solved } as const
  for (const [state, reports] of Object.entries(states) as [keyof typeof states, readonly TestReport[]][]) {
    if (state !== 'base' && reports.length === 0)
      return { kind: 'infrastructure', state, run: 0, reason: 'not_run', detail: `no run of the ${state} state` }
    for (const [run, report] of reports.entries()) {
      const reason = report.outcome !== 'completed' ? report.outcome : report.parse_status
      // A base without tests is a fact: they all come with the hidden files.
      if (reason === 'ok' || (state === 'base' && reason === 'no_tests')) continue
      return { kind: 'infrastructure', state, run, reason, detail: report.parse_detail ?? '' }
    }
  }
  return undefined
}

function allIds(reports: readonly TestReport[]): string[] {
  return [...new Set(reports.flatMap((report) => Object.keys(report.tests)))].sort()
}

/** Whether runs of one state disagree, or the base with a state that it must equal. */
function moves(input: Observations, id: string): boolean {
  const [broken, solved] = [input.broken, input.solved].map((reports) => reports.map((report) => statusOf(report, id)))
  const steady = (statuses: readonly Status[]) => statuses.every((status) => status === statuses[0])
  return !steady(broken!) || !steady(solved!) || movedSinceBase(input, id, broken![0]!)
}

/** A test of a file, module or class that skips itself is skipped, not absent. */
function statusOf({ tests }: TestReport, id: string): Status {
  if (Object.hasOwn(tests, id)) return tests[id]!
  const skips = (scope: string) => Object.hasOwn(tests, scope) && tests[scope] === 'SKIPPED'
  return scopesOf(id).some(skips) ? 'SKIPPED' : 'ABSENT'
}

/** The base ran the same test on the same source: another status is the test's own unrest. */
function movedSinceBase({ base, sameAsBase }: Observations, id: string, broken: Status): boolean {
  if (!base || !sameAsBase?.(id) || !Object.hasOwn(base.tests, id)) return false
  return broken !== 'ABSENT' && base.tests[id] !== broken
}

function originOf(input: Observations, id: string, broken: Status): Origin | undefined {
  if (inSourceAlone(input, id)) return undefined
  if (broken === 'FAILED') return 'fail'
  if (broken === 'ERROR') return 'error'
  if (broken === 'ABSENT' && (input.inHidden(id) || !passedInBase(input, id))) return 'absent'
  return undefined
}

/** The solution may have written or removed this test itself, and no other solution need do so. */
function inSourceAlone({ inSource, inHidden }: Observations, id: string): boolean {
  return inSource?.(id) === true && !inHidden(id)
}

/** Absent only because what holds it did not load with the hidden files: the base says that it works. */
function keptByBase(input: Observations, id: string, broken: Status): boolean {
  if (broken !== 'ABSENT' || input.inHidden(id) || !passedInBase(input, id)) return false
  return input.broken.every((report) => report.unloaded.some((scope) => isScopeOf(scope, id)))
}

function passedInBase({ base }: Observations, id: string): boolean {
  return base !== undefined && statusOf(base, id) === 'PASSED'
}
