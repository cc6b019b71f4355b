import { R2eError } from '@r2e/spec'

/** One thing that is wrong with the configuration. */
export interface Problem {
  readonly code: string
  /** Where it was written: `r2e.yaml:3:5`, `--limit`, `R2E_REPO__REF`; undefined for something that is absent. */
  readonly where: string | undefined
  readonly message: string
  readonly fix?: string | undefined
}

/** One error for all problems: the first leads, the others are listed in `details.problems`. */
export function problemError(problems: readonly Problem[]): R2eError {
  const [first, ...others] = problems.map((problem) => ({ ...problem, message: located(problem) }))
  if (!first) throw new TypeError('no problem to report')
  const rest = others.map(({ code, message, fix }) => ({ code, message, fix }))
  return new R2eError(first.code, 'user', first.message, {
    ...(first.fix === undefined ? {} : { fix: first.fix }),
    ...(rest.length === 0 ? {} : { details: { problems: rest } }),
  })
}

function located(problem: Problem): string {
  return problem.where === undefined ? problem.message : `${problem.where}: ${problem.message}`
}
