import type { Recipe, ReportFormat, RunCommand, Runner } from '@r2e/spec'
import { argumentPath, chunkArguments } from '../path.ts'
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
  flags(report: string, isSelection: boolean): readonly string[]
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

/** R2E_ROOT: what ids are relative to, whatever folder a command runs in. */
const env = { R2E_ROOT: '/app', NO_UPDATE_NOTIFIER: '1' }

export function defineRunner(traits: RunnerTraits): Runner {
  const command = (index: number, run: Run): RunCommand => {
    const report = `${index}.${endings[traits.format] ?? traits.format}`
    const words = [...run.workload.words, ...traits.flags(`{report}/${report}`, run.selected), ...(run.pattern ?? [])]
    const argv = traits.wrap ? traits.wrap(words, run.paths) : [...words, ...run.paths]
    return { argv: [...inFolder(run.workload.folder), ...argv], report, ...(traits.stdout && { stdout: true }) }
  }
  const commands = (recipe: Recipe, pathsOf: (workload: Workload) => readonly string[][], selected: boolean) =>
    stepsOf(recipe)
      .flatMap((workload): readonly (Run | Workload)[] =>
        isTest(recipe, workload) ? pathsOf(workload).map((paths) => ({ workload, paths, selected })) : [workload],
      )
      .map((step, index) => ('workload' in step ? command(index, step) : { argv: buildOf(step) }))
  /** A command of the user's own is this runner, whatever it looks like. */
  const isTest = (recipe: Recipe, { words }: Workload) => recipe.testCommand !== undefined || traits.starts(words)
  const tests = (recipe: Recipe) => stepsOf(recipe).filter((workload) => isTest(recipe, workload))
  return {
    name: traits.name,
    ...(traits.words && { words: traits.words }),
    format: traits.format,
    env,
    ...(traits.faults && { faults: traits.faults }),
    reporters: traits.reporters,
    suite(recipe, also = []) {
      const hidden = traits.namesFiles ? distribute(tests(recipe), also) : new Map<string, string[]>()
      const all = ({ paths, folder }: Workload) =>
        traits.findsFiles && paths.length === 0 ? [] : [...paths, ...(hidden.get(folder) ?? [])]
      return commands(recipe, (workload) => chunks([...new Set(all(workload))]), false)
    },
    files(recipe, paths) {
      const chosen = distribute(tests(recipe), paths)
      const own = (workload: Workload) => chosen.get(workload.folder) ?? []
      return commands(recipe, (workload) => (own(workload).length === 0 ? [] : chunks(own(workload))), true)
    },
    select(recipe, id) {
      const selector = selectorOf(id)
      const [[folder, paths] = ['', [selector.file]]] = distribute(tests(recipe), [selector.file])
      const workload = tests(recipe).find((candidate) => candidate.folder === folder)!
      const pattern = canSelect(selector) ? traits.pattern(selector) : []
      return command(0, { workload, paths, selected: true, pattern })
    },
  }
}

interface Run {
  readonly workload: Workload
  readonly paths: readonly string[]
  /** Whether the paths are test files that were asked for, and not the project's own patterns. */
  readonly selected: boolean
  readonly pattern?: readonly string[]
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

/** Test files by the innermost package that holds them, relative to its folder; all files where none looks like a test. */
function distribute(workloads: readonly Workload[], paths: readonly string[]): Map<string, string[]> {
  const folders = workloads.map(({ folder }) => folder).sort((a, b) => b.length - a.length)
  const tests = paths.filter(isTestModule)
  const found = new Map<string, string[]>()
  for (const path of tests.length > 0 ? tests : paths) {
    const folder = folders.find((candidate) => candidate === '' || path.startsWith(`${candidate}/`))
    if (folder === undefined) continue
    const relative = folder === '' ? path : path.slice(folder.length + 1)
    found.set(folder, [...(found.get(folder) ?? []), relative])
  }
  return found
}
