import type { FileRole } from './files.ts'
import type { Recipe, RecipeInput } from './recipe.ts'
import type { ReportFormat } from './report.ts'
import type { PurgeRule, RunCommand } from './run-plan.ts'

/** One language as data and pure functions. Adding one is one folder. */
export interface LanguagePack {
  readonly contract: 'r2e.language/1'
  readonly name: string
  /** Other names that people give it, in lower case: `py`, `ts`. */
  readonly aliases?: readonly string[] | undefined
  /** Weight of this language for a set of paths: 0 = not present. */
  detect(paths: readonly string[]): number
  /** Role of a path, or undefined where this language has no opinion. */
  role(path: string): FileRole | undefined
  /** Base-name patterns of files that decide the environment. */
  readonly manifests: readonly string[]
  /** Base names of files that steer the runner: restored from the grader's copy before a run. */
  readonly runnerFiles: readonly string[]
  /** What must not survive in the tree at grading unless the grader put it there. */
  readonly purge: PurgeRule
  /** Test cases of a test file: `name` as the runner's id ends (`TestC::test_m`, `TestX`), `text` their code without comments. */
  testCases(path: string, source: string): readonly TestCase[]
  /** Whether a test id can come from one of these (hidden) files; the recipe says by what names its tests are run. */
  ownsTest(files: readonly HiddenSource[], id: string, recipe?: Recipe): boolean
  /**
   * Whether a test stands in a source file, as a doc test does: the solution may bring or remove it, and no other
   * solution need do so. Absent = tests stand in test files alone.
   */
  inSource?(id: string): boolean
  /**
   * The test code at the top level of a source file, in order; none where the text cannot be read. The grader's own
   * `inline/<name>.py` finds the same. Absent = tests stand in files of their own.
   */
  inlineTests?(path: string, text: string): readonly TestPiece[]
  readonly runners: readonly Runner[]
  recipes(input: RecipeInput): Promise<readonly Recipe[]>
}

/** Whether people call a language so: by its name or an alias, in any case. */
export function isCalled({ name, aliases = [] }: Pick<LanguagePack, 'name' | 'aliases'>, wanted: string): boolean {
  const lower = wanted.toLowerCase()
  return name === lower || aliases.includes(lower)
}

export interface TestPiece {
  /** In UTF-16 units, from its first attribute or comment of its own to the end of its item. */
  readonly start: number
  readonly end: number
  /** What it is by name, such as `mod tests`; equal keys of one file are told apart by their order. */
  readonly key: string
}

export interface TestCase {
  readonly name: string
  readonly text: string
}

export interface HiddenSource {
  readonly path: string
  readonly text: string
}

/** Whether a file or folder of the base is no longer in the tree. */
export type IsGone = (path: string) => boolean

export interface Runner {
  readonly name: string
  /** Words of a user's test command that mean this runner, beside its name. */
  readonly words?: readonly string[] | undefined
  readonly format: ReportFormat
  readonly env: Readonly<Record<string, string>>
  /** Exit codes by which the runner says that it failed itself; default: none. */
  readonly faults?: readonly number[] | undefined
  /** Files of `@r2e/grader` that the command needs, by name below `{tests}/reporters/`. */
  readonly reporters: readonly string[]
  /** Formats that these reporters read by themselves, beside `format`. */
  readonly parses?: readonly ReportFormat[] | undefined
  /**
   * The whole suite: `suite` of the recipe, and these (hidden) test files where it does not cover them. What is gone of
   * it is left out: a runner that is told of a file that is not there may run nothing at all.
   */
  suite(recipe: Recipe, also?: readonly string[], isGone?: IsGone): readonly RunCommand[]
  /** Only these test files (all exist in the tree). */
  files(recipe: Recipe, paths: readonly string[]): readonly RunCommand[]
  /** Back from one id to a command that runs it (or its file, where one id cannot be selected). */
  select(recipe: Recipe, id: string): RunCommand
}
