import type { TestStatus } from '@r2e/spec'

export type Statuses = Readonly<Record<string, TestStatus>>

export interface GradeOptions {
  /** Ids that were XFAIL with the oracle: XFAIL passes for these alone. */
  readonly expectedFailures?: readonly string[] | undefined
  /** Scopes that failed to load or died (`TestReport.unloaded`): each counts as an error outside the lists. */
  readonly unloaded?: readonly string[] | undefined
  readonly exitCodes?: readonly number[] | undefined
  /** Not `ok`: nothing was measured, and the reward is 0. */
  readonly parseStatus?: 'ok' | 'no_report' | 'no_tests' | 'malformed' | undefined
  /** Not `completed`: `timed_out` makes the reward 0; neither can be `command_resolved`. */
  readonly outcome?: 'completed' | 'timed_out' | 'crashed' | undefined
  readonly runner?: string | undefined
  /** 1 or 0 instead of a rate (programs). */
  readonly binary?: boolean | undefined
}

/** `reward-details.json` of an executed task (contract §7.2); snake_case, since it is stored. */
export interface GradeDetails {
  /** 0 to 1, six places: `f2p_rate` × `p2p_rate`. */
  readonly reward: number
  /** With an empty list counting as rate 1: FULL if both are 1, PARTIAL if some of fail-to-pass and all of pass-to-pass pass. */
  readonly resolution: 'FULL' | 'PARTIAL' | 'NO'
  /** There are fail-to-pass tests, and all tests of both lists pass. */
  readonly resolved: boolean
  /** `resolved`, nothing failed outside the lists, and every command exited 0. */
  readonly command_resolved: boolean
  /** `command_resolved`, and there are pass-to-pass tests. */
  readonly eval_grade: boolean
  readonly f2p_total: number
  readonly f2p_passed: number
  /** 0 where the list is empty: nothing was asked for. */
  readonly f2p_rate: number
  readonly p2p_total: number
  readonly p2p_passed: number
  /** 1 where the list is empty. */
  readonly p2p_rate: number
  /** Fail-to-pass ids that do not pass, at most 20. */
  readonly unresolved: readonly string[]
  /** Pass-to-pass ids that do not pass, at most 20. */
  readonly regressions: readonly string[]
  /** Failed or in error outside the lists; a parent whose subtest failed is not counted again. */
  readonly untracked_failed_count: number
  readonly untracked_failed: readonly string[]
  readonly parse_status: 'ok' | 'no_report' | 'no_tests' | 'malformed'
  readonly outcome: 'completed' | 'timed_out' | 'crashed'
  readonly runner: string | null
  readonly tests_parsed: number
  /** The first that is not 0, else 0; null where no command ran. */
  readonly exit_code: number | null
}

const SHOWN = 20

/** Only PASSED passes; an id that the report lacks does not. Grades from the lists alone; the rest is reported. */
export function gradeTests(
  failToPass: readonly string[],
  passToPass: readonly string[],
  statuses: Statuses,
  options: GradeOptions = {},
): GradeDetails {
  const { parseStatus = 'ok', outcome = 'completed', exitCodes = [] } = options
  const measured = parseStatus === 'ok' && outcome !== 'timed_out'
  const expectedFailures = new Set(options.expectedFailures)
  const passes = (id: string) => {
    const status = measured && Object.hasOwn(statuses, id) ? statuses[id] : undefined
    return status === 'PASSED' || (status === 'XFAIL' && expectedFailures.has(id))
  }
  const unresolved = failToPass.filter((id) => !passes(id))
  const regressions = passToPass.filter((id) => !passes(id))
  const untracked = untrackedFailures(statuses, options.unloaded ?? [], [...failToPass, ...passToPass])
  const resolved = measured && failToPass.length > 0 && unresolved.length === 0 && regressions.length === 0
  const commandResolved =
    resolved && outcome === 'completed' && untracked.length === 0 && exitCodes.every((code) => code === 0)
  const f2pRate = rate(failToPass.length, unresolved.length, 0)
  const p2pRate = rate(passToPass.length, regressions.length, measured ? 1 : 0)
  return {
    reward: options.binary ? Number(resolved) : round(f2pRate * p2pRate),
    resolution: resolution(rate(failToPass.length, unresolved.length, measured ? 1 : 0), p2pRate),
    resolved,
    command_resolved: commandResolved,
    eval_grade: commandResolved && passToPass.length > 0,
    f2p_total: failToPass.length,
    f2p_passed: failToPass.length - unresolved.length,
    f2p_rate: round(f2pRate),
    p2p_total: passToPass.length,
    p2p_passed: passToPass.length - regressions.length,
    p2p_rate: round(p2pRate),
    unresolved: unresolved.slice(0, SHOWN),
    regressions: regressions.slice(0, SHOWN),
    untracked_failed_count: untracked.length,
    untracked_failed: untracked.slice(0, SHOWN),
    parse_status: parseStatus,
    outcome,
    runner: options.runner ?? null,
    tests_parsed: Object.keys(statuses).length,
    exit_code: exitCodes.length === 0 ? null : (exitCodes.find((code) => code !== 0) ?? 0),
  }
}

function resolution(f2pRate: number, p2pRate: number): GradeDetails['resolution'] {
  if (p2pRate < 1 || f2pRate === 0) return 'NO'
  return f2pRate === 1 ? 'FULL' : 'PARTIAL'
}

function rate(total: number, missed: number, whenEmpty: number): number {
  return total === 0 ? whenEmpty : (total - missed) / total
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6
}

function untrackedFailures(statuses: Statuses, unloaded: readonly string[], tracked: readonly string[]): string[] {
  const failed = Object.keys(statuses).filter((id) => statuses[id] === 'FAILED' || statuses[id] === 'ERROR')
  const parents = parentsAmong(failed)
  const listed = new Set(tracked)
  const outside = failed.filter((id) => !listed.has(id) && !parents.has(id))
  return [...new Set([...outside, ...unloaded])].sort()
}

/** Of `pkg::A/b/c` these are `pkg::A` and `pkg::A/b`, where they are among the ids themselves. */
function parentsAmong(ids: readonly string[]): Set<string> {
  const known = new Set(ids)
  const lengths = new Set(ids.map((id) => id.length))
  const found = new Set<string>()
  for (const id of ids) {
    const scope = id.indexOf('::')
    for (let at = scope < 0 ? -1 : id.indexOf('/', scope); at >= 0; at = id.indexOf('/', at + 1)) {
      const parent = lengths.has(at) ? id.slice(0, at) : undefined
      if (parent !== undefined && known.has(parent)) found.add(parent)
    }
  }
  return found
}
