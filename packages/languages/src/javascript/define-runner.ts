import type { IsGone, Recipe, ReportFormat, RunCommand, Runner } from '@r2e/spec'
import { argumentPath, chunkArguments, folderOf, joinPath } from '../path.ts'
import { pathPattern } from '../path-pattern.ts'
import { isTestModule } from './roles.ts'
import { canSelect, type Selector, selectorOf } from './selector.ts'
import { inFolder, type Workload, workloadsOf } from './workload.ts'

/** What one runner of JavaScript adds to what all share. */
interface RunnerTraits {
  readonly name: string
  /** Words of a user's command that mean this runner, beside its name. */
  readonly words?: readonly string[]
  readonly format: ReportFormat
  readonly reporters: readonly string[]
  readonly faults?: readonly number[]
  /** Whether a program and its options are this runner; other commands of a suite are builds. */
  starts(words: readonly string[]): boolean
  /** Everything after `words` but the files; `report` is `{report}/0.json` or the like. */
  flags(report: string): readonly string[]
  /** Options for test files that were asked for, and not the project's own patterns. */
  readonly named?: readonly string[]
  /**
   * The same where commands of one folder share its files, so that each runs those that its own configuration names: the
   * options, and how a file is written where its path would overrule the configuration; `path` begins at the root.
   */
  readonly shared?: { readonly options: readonly string[]; argument?(path: string): string }
  /** Where the arguments are to be wrapped, as by a program of the grader. */
  wrap?(words: readonly string[], paths: readonly string[]): readonly string[]
  /** What selects one test besides its file. */
  pattern(selector: Selector): readonly string[]
  /** Whether the whole suite must be told of files that it does not name. */
  readonly namesFiles?: boolean
  /** Whether it finds them where it is told of none. */
  readonly findsFiles?: boolean
  readonly stdout?: boolean
}

const endings: Readonly<Partial<Record<ReportFormat, string>>> = {
  'events-jsonl': 'jsonl',
  'jest-json': 'json',
  'junit-bun': 'xml',
}

/** What ids are relative to, whatever folder a command runs in. */
export const root = '/app'
const env = { R2E_ROOT: root, NO_UPDATE_NOTIFIER: '1' }

export function defineRunner(traits: RunnerTraits): Runner {
  const command = (index: number, { workload, paths, options = [] }: Run): RunCommand => {
    const report = `${index}.${endings[traits.format] ?? traits.format}`
    const words = [...workload.words, ...traits.flags(`{report}/${report}`), ...options]
    const argv = traits.wrap ? traits.wrap(words, paths) : [...words, ...paths]
    return { argv: [...inFolder(workload.folder), ...argv], report, ...(traits.stdout && { stdout: true }) }
  }
  /** A command of the user's own is this runner, whatever it looks like. */
  const isTest = (recipe: Recipe, { words }: Workload) => recipe.testCommand !== undefined || traits.starts(words)
  const commands = (recipe: Recipe, runsOf: (workload: Workload, tests: readonly Workload[]) => readonly Run[]) => {
    const steps = stepsOf(recipe)
    const tests = steps.filter((workload) => isTest(recipe, workload))
    return steps
      .flatMap((workload): readonly (Run | Workload)[] =>
        tests.includes(workload) ? runsOf(workload, tests) : [workload],
      )
      .map((step, index) => ('workload' in step ? command(index, step) : { argv: buildOf(step) }))
  }
  const named = (workload: Workload, paths: readonly string[], tests: readonly Workload[]): Run[] => {
    if (paths.length === 0) return []
    const shares = tests.some((test) => test !== workload && test.folder === workload.folder)
    const { options, argument } = (shares && traits.shared) || { options: traits.named ?? [] }
    const files = paths.map(argument ?? ((path) => argumentPath(within(workload, path))))
    return chunkArguments(files).map((files) => ({ workload, paths: files, options }))
  }
  return {
    name: traits.name,
    ...(traits.words && { words: traits.words }),
    format: traits.format,
    env,
    ...(traits.faults && { faults: traits.faults }),
    reporters: traits.reporters,
    suite: (recipe, also = [], isGone = () => false) =>
      commands(recipe, (workload, tests) => {
        const hidden = traits.namesFiles ? filesOf(workload, tests, also) : []
        const all =
          traits.findsFiles && workload.paths.length === 0
            ? []
            : [...standing(workload, isGone), ...hidden.map((path) => within(workload, path))]
        return chunks([...new Set(all)]).map((paths) => ({ workload, paths }))
      }),
    files: (recipe, paths) =>
      commands(recipe, (workload, tests) => named(workload, filesOf(workload, tests, paths), tests)),
    /** Where several commands fit the file of a test best, the first of them: no one command runs it under each. */
    select(recipe, id) {
      const selector = selectorOf(id)
      const tests = stepsOf(recipe).filter((workload) => isTest(recipe, workload))
      const workload = workloadsFor(tests, selector.file)[0] ?? tests[0]!
      const pattern = canSelect(selector) ? traits.pattern(selector) : []
      const file = argumentPath(within(workload, selector.file))
      return command(0, { workload, paths: [file], options: [...(traits.named ?? []), ...pattern] })
    },
  }
}

/** Its own paths, but those that are gone; patterns stay. */
function standing({ folder, paths }: Workload, isGone: IsGone): readonly string[] {
  return paths.filter((path) => !isGone(joinPath(folder, path) ?? path))
}

interface Run {
  readonly workload: Workload
  readonly paths: readonly string[]
  /** Between the flags and the paths. */
  readonly options?: readonly string[]
}

function stepsOf(recipe: Recipe): readonly Workload[] {
  return recipe.testCommand ? [{ folder: '', words: recipe.testCommand, paths: [] }] : workloadsOf(recipe)
}

function buildOf({ folder, words, paths }: Workload): string[] {
  return [...inFolder(folder), ...words, ...paths]
}

function chunks(paths: readonly string[]): string[][] {
  return paths.length === 0 ? [[]] : chunkArguments(paths.map(argumentPath))
}

/** The test files that a command is to run; all files where none looks like a test. */
function filesOf(workload: Workload, tests: readonly Workload[], paths: readonly string[]): string[] {
  const modules = paths.filter(isTestModule)
  return (modules.length > 0 ? modules : paths).filter((path) => workloadsFor(tests, path).includes(workload))
}

function within({ folder }: Workload, path: string): string {
  return folder === '' ? path : path.slice(folder.length + 1)
}

/** The commands of the innermost folder that holds a file; of several, those whose own paths fit it best. */
function workloadsFor(tests: readonly Workload[], path: string): readonly Workload[] {
  const holding = tests.filter(({ folder }) => folder === '' || path.startsWith(`${folder}/`))
  const innermost = Math.max(...holding.map(({ folder }) => folder.length))
  const candidates = holding.filter(({ folder }) => folder.length === innermost)
  if (candidates.length < 2) return candidates
  const fits = candidates.map((workload) => fit(workload.paths, within(workload, path)))
  return candidates.filter((_, at) => fits[at] === Math.max(...fits))
}

/** How well paths fit a file: it is among them, one of its folder is, there are none, there are only others. */
function fit(paths: readonly string[], file: string): number {
  const plain = paths.map((path) => path.replace(/^\.(?:\/|$)/, ''))
  if (plain.some((path) => file.includes(path) || pathPattern(path)(file))) return 3
  if (plain.some((path) => folderOf(path) === folderOf(file))) return 2
  return paths.length === 0 ? 1 : 0
}
