import type { CiJob } from './job.ts'
import { flattenCommands, type ReadCommand } from './read-commands.ts'

export interface ReadJob {
  readonly job: CiJob
  /** The commands of each step. */
  readonly steps: readonly (readonly ReadCommand[])[]
}

const special =
  /(?:^|[^a-z])(?:lint|docs?|doctest|format|style|types?|typing|mypy|coverage|fuzz|bench|benchmarks?|windows|macos|release|publish|deploy|package|wheels?|nightly|install|installation|wasm|wasi|miri|codeql|minimal|lowest|oldest|min|msrv|e2e|integration|smoke|downstream|alpine|musl|arm|aarch64|i686|x86|32|no|without|pypy|sanitizers?|asan|valgrind|bazel|conda|docker|cross|semver|prerelease|dev|head|backwards?|legacy|static|analysis)(?:[^a-z]|$)/

/**
 * The job that runs the tests of a language as a change does: one for every change before one for releases, the plain
 * before the special by name, the first before the next.
 */
export function chooseTestJob(jobs: readonly ReadJob[], language: string): ReadJob | undefined {
  const rated = jobs.flatMap((read) => {
    const rating = rate(read, language)
    return rating === undefined ? [] : [{ read, rating }]
  })
  return rated.reduce<(typeof rated)[number] | undefined>(
    (best, next) => (best !== undefined && best.rating >= next.rating ? best : next),
    undefined,
  )?.read
}

function rate({ job, steps }: ReadJob, language: string): number | undefined {
  const tests = steps
    .flat()
    .flatMap((command) => flattenCommands([command]))
    .filter(({ kind }) => kind === 'test')
  const own = tests.some((command) => command.language === language && command.doubt === undefined)
  const any = tests.some((command) => (command.language ?? language) === language)
  if (!own && !any) return undefined
  const base = job.file.slice(job.file.lastIndexOf('/') + 1)
  return (
    (own ? 8 : 0) +
    (job.isRegular ? 16 : 0) -
    (special.test(job.name.toLowerCase()) ? 4 : 0) -
    (special.test(base.toLowerCase()) ? 4 : 0) +
    (job.versions.some((version) => version.language === language) ? 2 : 0) +
    (/test|unit|^ci$|check/i.test(job.name) ? 1 : 0)
  )
}
