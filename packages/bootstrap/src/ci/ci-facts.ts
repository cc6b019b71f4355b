import type { Tree } from '@r2e/spec'
import { type Budget, openBudget, TooMuch } from './budget.ts'
import { type CiFiles, ciFileEntries, ciFileKind, readCiFiles } from './ci-files.ts'
import { type LeftOut, readPackageNames } from './debian-packages.ts'
import { readDevcontainer } from './devcontainer.ts'
import { readDockerfile } from './dockerfile.ts'
import { readWorkflow } from './github-workflow.ts'
import { readGitlab } from './gitlab-ci.ts'
import type { CiJob } from './job.ts'
import { type Makefile, readMakefile } from './makefile.ts'
import { type ReadJob, rankTestJobs } from './rank-test-jobs.ts'
import { type CommandReader, flattenCommands, type ReadCommand, readCommands } from './read-commands.ts'
import { openShellReader } from './shell-commands.ts'
import { testEnvironment } from './test-environment.ts'
import { openYamlParser, type ParseYaml } from './yaml.ts'

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
  readonly test?: Fact<ReadCommand> | undefined
  /** Files that were passed over, each with the reason. */
  readonly unread: readonly Fact<string>[]
}

export type FindCiFacts = (language: string) => CiFacts

/** Reads all files once; what they say is then asked for each language. */
export async function openCiFacts(files: CiFiles, budget: Budget = openBudget()): Promise<FindCiFacts> {
  const { jobs, images, unread } = await readFiles(files, budget)
  const known = new Map<string, CiFacts>()
  return (language) => {
    const facts = known.get(language) ?? { ...factsOf(rankTestJobs(jobs, language), images, language), unread }
    known.set(language, facts)
    return facts
  }
}

interface ReadFiles {
  readonly jobs: readonly ReadJob[]
  /** Dockerfiles and development containers. */
  readonly images: readonly ReadJob[]
  readonly unread: CiFacts['unread']
}

/**
 * A file that cannot be read is passed over: whatever it holds, the recipes that the manifests give stand without it. Apart
 * from what asks for facts, so that trees and texts are let go.
 */
async function readFiles(files: CiFiles, budget: Budget): Promise<ReadFiles> {
  const [parse, shell] = await Promise.all([openYamlParser(budget), openShellReader(budget)])
  const reader: CommandReader = { shell, find: (path) => files.get(path), makefile: memoized(readMakefile), budget }
  const jobs: ReadJob[] = []
  const images: ReadJob[] = []
  const unread: Fact<string>[] = []
  for (const [file, text] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const kind = ciFileKind(file)
    try {
      const read = jobsOf(file, text, { parse, reader }).map((job) => readJob(job, reader))
      const all = kind === 'dockerfile' || kind === 'devcontainer' ? images : jobs
      for (const job of read) all.push(job)
    } catch (error) {
      // Texts of any kind are met here, and readers recurse as their texts do.
      const value = error instanceof TooMuch ? 'it stands for more than a person writes' : 'it is not understood'
      unread.push({ value, file })
    }
  }
  return { jobs, images, unread }
}

/** A Makefile may be asked for by every command. */
function memoized(read: (text: string) => Makefile): (text: string) => Makefile {
  const known = new Map<string, Makefile>()
  return (text) => {
    const found = known.get(text) ?? read(text)
    known.set(text, found)
    return found
  }
}

function jobsOf(
  file: string,
  text: string,
  { parse, reader }: { parse: ParseYaml; reader: CommandReader },
): readonly CiJob[] {
  const { find, budget } = reader
  switch (ciFileKind(file)) {
    case 'workflow':
      return readWorkflow({ file, text, parse, find, budget })
    case 'gitlab':
      return readGitlab({ file, text, parse, budget })
    case 'dockerfile':
      return [readDockerfile(file, text, budget)].filter((job) => job !== undefined)
    case 'devcontainer':
      return [readDevcontainer(file, text)].filter((job) => job !== undefined)
    default:
      return []
  }
}

function readJob(job: CiJob, reader: CommandReader): ReadJob {
  const steps = job.steps.map(({ script, env, folder }) =>
    readCommands({ file: job.file, script, env, folder }, reader),
  )
  return { job, steps }
}

function factsOf(jobs: readonly ReadJob[], images: readonly ReadJob[], language: string): Omit<CiFacts, 'unread'> {
  const [chosen] = jobs
  const sources = [...(chosen ? [chosen] : []), ...images]
  const apt = sources.flatMap(aptFacts)
  const commands = chosen === undefined ? [] : chosen.steps.flatMap((step) => [...step])
  const isTest = (command: ReadCommand) => command.kind === 'test' && (command.language ?? language) === language
  const first = commands.findIndex((command) => isTest(command))
  const before = commands.slice(0, Math.max(0, first)).filter(({ doubt }) => doubt === undefined)
  const fact = <Value>(value: Value, file = chosen!.job.file): Fact<Value> => ({ value, file, job: chosen!.job.name })
  const call = commands[first]
  const test = call && innermost(call, isTest)
  return {
    packages: uniqueBy(
      apt.flatMap(({ packages }) => packages),
      ({ value }) => value,
    ),
    leftOut: uniqueBy(
      apt.flatMap(({ leftOut }) => leftOut),
      ({ value }) => value.word,
    ),
    version: versionFact(jobs, language),
    services: chosen?.job.services.map((name) => fact(name)) ?? [],
    env: chosen && call ? testEnvironment(chosen, call, test!).map((entry) => fact(entry)) : [],
    install: before.filter(({ kind }) => kind === 'install').map((command) => fact(command, command.file)),
    test: test && fact(test, test.file),
  }
}

/** The first that runs tests itself, not by a target or a script. */
function innermost(call: ReadCommand, isTest: (command: ReadCommand) => boolean): ReadCommand {
  const inner = call.calls.find(isTest)
  return inner === undefined ? call : innermost(inner, isTest)
}

/** The version of the likeliest job that has one, and those of all jobs with tests; no other job and no image counts. */
function versionFact(jobs: readonly ReadJob[], language: string): CiFacts['version'] {
  const found = jobs.flatMap(({ job }) =>
    job.versions.filter((entry) => entry.language === language).map((entry) => ({ ...entry, job })),
  )
  const [first] = found
  if (first === undefined) return undefined
  const tested = new Set(found.flatMap((entry) => entry.tested))
  return { value: { chosen: first.version, tested: [...tested] }, file: first.job.file, job: first.job.name }
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

/** Trees of one history have few sets of CI files. */
const mostRemembered = 16

/** Reads the CI files of a tree; trees with equal ones share what was read. */
export function rememberCiFacts(): (tree: Tree) => Promise<FindCiFacts> {
  const known = new Map<string, Promise<FindCiFacts>>()
  return async (tree) => {
    const entries = await ciFileEntries(tree)
    const key = JSON.stringify(entries.map(({ path, blob }) => [path, blob]))
    const found = known.get(key) ?? readCiFiles(tree, entries).then((files) => openCiFacts(files))
    known.delete(key)
    known.set(key, found)
    found.catch(() => known.delete(key))
    for (const oldest of [...known.keys()].slice(0, -mostRemembered)) known.delete(oldest)
    return found
  }
}
