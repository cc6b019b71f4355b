import { type LeftOut, readPackageNames } from './apt-packages.ts'
import { type CiFiles, ciFileKind } from './ci-files.ts'
import { readDevcontainer } from './devcontainer.ts'
import { readDockerfile } from './dockerfile.ts'
import { readWorkflow } from './github-workflow.ts'
import { readGitlab } from './gitlab-ci.ts'
import type { CiJob } from './job.ts'
import { openYamlParser, type ParseYaml } from './parse-yaml.ts'
import { type ReadJob, rankTestJobs } from './rank-test-jobs.ts'
import { type CommandReader, flattenCommands, type ReadCommand, readCommands } from './read-commands.ts'
import { openShellReader } from './shell-commands.ts'
import { testEnvironment } from './test-environment.ts'
import { isResolved } from './unresolved.ts'

/** Something that a file says, and the file; of a CI file also the job. */
export interface Fact<Value> {
  readonly value: Value
  readonly file: string
  readonly job?: string | undefined
}

/** What the files of a tree say about the environment of one language. */
export interface CiFacts {
  readonly packages: readonly Fact<string>[]
  readonly leftOut: readonly Fact<LeftOut>[]
  readonly version?: Fact<{ readonly chosen: string; readonly tested: readonly string[] }> | undefined
  readonly services: readonly Fact<string>[]
  /** Variables of the test step whose values stand in the file. */
  readonly env: readonly Fact<{ readonly name: string; readonly value: string }>[]
  readonly install: readonly Fact<ReadCommand>[]
  /** Build commands before the first test, in their order. */
  readonly build: readonly Fact<ReadCommand>[]
  readonly test?: Fact<ReadCommand> | undefined
}

export type FindCiFacts = (language: string) => CiFacts

/** Reads all files once; what they say is then asked for each language. */
export async function openCiFacts(files: CiFiles): Promise<FindCiFacts> {
  const [parseText, shell] = await Promise.all([openYamlParser(), openShellReader()])
  const parse = memoized(parseText)
  const reader: CommandReader = { shell, find: (path) => files.get(path) }
  const jobs: ReadJob[] = []
  const images: ReadJob[] = []
  for (const [file, text] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const kind = ciFileKind(file)
    if (kind === 'dockerfile' || kind === 'devcontainer') {
      const job = kind === 'dockerfile' ? readDockerfile(file, text) : readDevcontainer(file, text)
      if (job !== undefined) images.push(readJob(job, reader))
    } else jobs.push(...ciJobs(file, text, { parse, reader }).map((job) => readJob(job, reader)))
  }
  const known = new Map<string, CiFacts>()
  return (language) => {
    const facts = known.get(language) ?? factsOf(rankTestJobs(jobs, language), images, language)
    known.set(language, facts)
    return facts
  }
}

/** An action of the repository may be used by every step. */
function memoized(parse: ParseYaml): ParseYaml {
  const known = new Map<string, ReturnType<ParseYaml>>()
  return (text) => {
    if (!known.has(text)) known.set(text, parse(text))
    return known.get(text)
  }
}

function ciJobs(
  file: string,
  text: string,
  { parse, reader }: { parse: ParseYaml; reader: CommandReader },
): readonly CiJob[] {
  const kind = ciFileKind(file)
  if (kind === 'workflow') return readWorkflow({ file, text, parse, find: reader.find })
  return kind === 'gitlab' ? readGitlab(file, text, parse) : []
}

function readJob(job: CiJob, reader: CommandReader): ReadJob {
  const steps = job.steps.map(({ script, env, folder }) =>
    readCommands({ file: job.file, script, env, folder }, reader),
  )
  return { job, steps }
}

function factsOf(jobs: readonly ReadJob[], images: readonly ReadJob[], language: string): CiFacts {
  const [chosen] = jobs
  const sources = [...(chosen ? [chosen] : []), ...images]
  const apt = sources.flatMap(aptFacts)
  const commands = chosen === undefined ? [] : chosen.steps.flatMap((step) => [...step])
  const isTest = (command: ReadCommand) => command.kind === 'test' && (command.language ?? language) === language
  const first = commands.findIndex((command) => isTest(command))
  const before = commands.slice(0, Math.max(0, first)).filter(({ doubt }) => doubt === undefined)
  const fact = <Value>(value: Value, file = chosen!.job.file): Fact<Value> => ({ value, file, job: chosen!.job.name })
  const call = commands[first]
  const test = call && (flattenCommands([call]).find((command) => command !== call && isTest(command)) ?? call)
  return {
    packages: uniqueBy(
      apt.flatMap(({ packages }) => packages),
      ({ value }) => value,
    ),
    leftOut: uniqueBy(
      apt.flatMap(({ leftOut }) => leftOut),
      ({ value }) => value.word,
    ),
    version: versionFact(sources, jobs, language),
    services: chosen?.job.services.map((name) => fact(name)) ?? [],
    env: chosen && call ? testEnvironment(chosen, call, test!).map((entry) => fact(entry)) : [],
    install: before.filter(({ kind }) => kind === 'install').map((command) => fact(command, command.file)),
    build: before.filter(({ kind }) => kind === 'build').map((command) => fact(command, command.file)),
    test: test && fact(test, test.file),
  }
}

/** The version of the first that has one; tested is what any job with tests has. */
function versionFact(sources: readonly ReadJob[], jobs: readonly ReadJob[], language: string): CiFacts['version'] {
  const ofLanguage = ({ job }: ReadJob) => job.versions.filter((entry) => entry.language === language)
  const [first] = sources.flatMap((source) => ofLanguage(source).map((entry) => ({ ...entry, job: source.job })))
  if (first === undefined || !isResolved(first.version)) return undefined
  const tested = [...first.tested, ...jobs.flatMap(ofLanguage).flatMap((entry) => entry.tested)]
  const { file, name } = first.job
  return { value: { chosen: first.version, tested: [...new Set(tested)] }, file, job: name || undefined }
}

interface AptFacts {
  readonly packages: readonly Fact<string>[]
  readonly leftOut: readonly Fact<LeftOut>[]
}

function aptFacts({ job, steps }: ReadJob): AptFacts[] {
  const named = readPackageNames(job.packages)
  const installs = flattenCommands(steps.flat()).flatMap(({ apt, file }) =>
    apt === undefined ? [] : [{ ...apt, file }],
  )
  return [{ ...named, file: job.file }, ...installs].map(({ packages, leftOut, file }) => {
    const fact = <Value>(value: Value): Fact<Value> => ({ value, file, job: job.name || undefined })
    return { packages: packages.map(fact), leftOut: leftOut.map(fact) }
  })
}

/** The first of each. */
function uniqueBy<Value>(values: readonly Value[], key: (value: Value) => string): Value[] {
  const known = new Set<string>()
  return values.filter((value) => !known.has(key(value)) && known.add(key(value)))
}
