import { type CiJob, isRowFor } from './job.ts'
import { flattenCommands, type ReadCommand } from './read-commands.ts'
import { compareVersions, isReleased } from './version-order.ts'

export interface ReadJob {
  readonly job: CiJob
  /** The commands of each step. */
  readonly steps: readonly (readonly ReadCommand[])[]
}

const special =
  /(?:^|[^a-z])(?:lint|docs?|doctest|format|style|types?|typing|mypy|coverage|fuzz|bench|benchmarks?|windows|macos|release|publish|deploy|package|wheels?|nightly|install|installation|wasm|wasi|miri|codeql|minimal|lowest|oldest|min|msrv|e2e|integration|smoke|downstream|alpine|musl|arm|aarch64|i686|x86|32|no|without|pypy|sanitizers?|asan|valgrind|bazel|conda|docker|cross|semver|prerelease|dev|head|backwards?|legacy|static|analysis|debug|native|image|jruby|truffleruby|graalvm?|bundled?|system|(?:py)?emscripten|pyodide|memcheck|memray|plugins?)(?:[^a-z]|$)/

/**
 * The jobs that run tests of a language, the likeliest to run them as a change does first: one for every change before one
 * for releases, the plain before the special by name, the first before the next. Of jobs with one name, which a workflow is
 * that is called several times, the one with the newest version stands for all.
 */
export function rankTestJobs(jobs: readonly ReadJob[], language: string): readonly ReadJob[] {
  const places = new Map<string, number>()
  const rated = jobs.flatMap((read, index) => {
    const rating = isRowFor(read.job.rowFor, language) ? rate(read, language) : undefined
    if (rating === undefined) return []
    const key = JSON.stringify([read.job.file, read.job.name])
    places.set(key, places.get(key) ?? index)
    const version = read.job.versions.find((entry) => entry.language === language)?.version ?? ''
    return [{ read, rating, place: places.get(key)!, version }]
  })
  return rated
    .sort((a, b) => b.rating - a.rating || a.place - b.place || compareVersions(b.version, a.version))
    .map(({ read }) => read)
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
    (job.versions.some((entry) => entry.language === language && isReleased(entry.version)) ? 2 : 0) +
    (/test|unit|^ci$|check/i.test(job.name) ? 1 : 0) +
    (/^(?:unit[-_]?)?tests?$/i.test(job.name) ? 1 : 0)
  )
}
