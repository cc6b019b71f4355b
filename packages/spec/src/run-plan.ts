import type { ReportFormat } from './report.ts'

/** `tests/run.json`: everything grade.py needs to run the tests; no shell anywhere. */
export interface RunPlan {
  readonly schema: 'r2e.run/1'
  readonly workdir: string
  readonly runner: string
  readonly format: ReportFormat
  readonly commands: readonly RunCommand[]
  /** Added to the environment of every command; `{report}` and `{tests}` as in `argv`. */
  readonly env: Readonly<Record<string, string>>
  /** For all commands together, seconds. */
  readonly timeout_sec: number
  /** Whether the run covers the whole suite or the touched test files and their neighbours. */
  readonly coverage: 'suite' | 'touched'
  /** Exit codes by which the runner says that it failed itself: an internal error, bad usage. */
  readonly faults?: readonly number[] | undefined
  /** `binary`: 1 where all wanted tests pass, else 0 (programs). Absent = graded. */
  readonly reward?: 'graded' | 'binary' | undefined
}

export interface RunCommand {
  /** `{report}` in an argument stands for the fresh report folder, `{tests}` for the folder of grade.py. */
  readonly argv: readonly string[]
  /** The file below the report folder that this command leaves; absent where it leaves none, as a build step. */
  readonly report?: string | undefined
  /** True where the report is the command's standard output. */
  readonly stdout?: boolean | undefined
  /** Where the runner leaves reports in the work tree, if it cannot be told another place; cleared before the run. */
  readonly collect?: readonly ReportPlace[] | undefined
}

export interface ReportPlace {
  /** A folder below the work tree and a pattern (`*`, `?`) of file names: `core/target/surefire-reports/TEST-*.xml`. */
  readonly glob: string
  /** What is unloaded where no file fits after the run. */
  readonly scope: string
}

/** `tests/restore.json`: the files of the tree that belong to the grader. */
export interface RestorePlan {
  readonly schema: 'r2e.restore/1'
  /** Written from `tests/files/<n>`, never through a link the agent left. */
  readonly files: readonly RestoreFile[]
  /** Removed before the run. */
  readonly delete: readonly string[]
  /** Files not in `files` that match are removed: what the agent added where only the grader may write. */
  readonly purge: PurgeRule
  /** Test data that is too large for a copy: where it is not as it was, nothing can be graded. */
  readonly left?: readonly LeftFile[] | undefined
  /** Where tests stand inside source files: every file of this language gets the grader's test code, or none. */
  readonly inline?: InlinePlan | undefined
}

export interface InlinePlan {
  /** Names `inline/<language>.py`, which finds the test code in a file. */
  readonly language: string
  /** Test code by the source file that it stands in. */
  readonly files: readonly InlineFile[]
}

export type InlineFile = Omit<RestoreFile, 'mode'>

export interface RestoreFile {
  readonly path: string
  readonly mode: '100644' | '100755' | '120000'
  /** Path below `tests/files/`. */
  readonly from: string
  /** SHA-256 of the content, hexadecimal: a grader copy that differs makes the run ungradable. */
  readonly sha256: string
}

export interface LeftFile {
  readonly path: string
  /** SHA-256 of its content, hexadecimal. */
  readonly sha256: string
}

export interface PurgeRule {
  /** Base-name patterns (`*` and `?`) of files and folders, anywhere in the tree: `conftest.py`, `*_test.go`. */
  readonly names: readonly string[]
  /** Folders, relative to the tree, that hold tests alone. */
  readonly folders: readonly string[]
  /** Folder names never entered: `.git`, `node_modules`. */
  readonly skip: readonly string[]
}

/** `tests/diff.json`: a task rewarded by diff similarity; `tests/oracle.diff` lies beside it. */
export interface DiffPlan {
  readonly schema: 'r2e.diff/1'
  readonly metric: 'ratio_v07' | 'changed_lines' | 'applied_changes'
  /**
   * Arguments after `git` that print the agent's diff; the oracle was made by the same. They run in a scratch
   * repository whose HEAD is the base and whose index holds the agent's whole tree (`git add -A`), so `diff --cached …`.
   */
  readonly diff: readonly string[]
  /** Commit or tree of the base in the work tree's repository; absent = the root commit of its HEAD. */
  readonly base?: string | undefined
  readonly workdir: string
}
