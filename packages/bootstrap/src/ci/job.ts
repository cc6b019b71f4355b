/**
 * A job of a CI file, an image or a development container, matrix and expressions resolved to one run on Linux. What
 * could not be resolved holds the character of `unresolved.ts`.
 */
export interface CiJob {
  readonly file: string
  readonly name: string
  /** What it is for, by its trigger: every change, or only a release, the clock, a person's wish. */
  readonly isRegular: boolean
  readonly rowFor: RowFor
  readonly versions: readonly ToolVersion[]
  readonly services: readonly string[]
  /** Debian packages that an action or feature installs by name. */
  readonly packages: readonly string[]
  readonly steps: readonly CiStep[]
}

/** The languages that the row of the job's matrix was chosen for: one alone, or all without some that have rows of their own. */
export interface RowFor {
  readonly only?: string | undefined
  readonly except: readonly string[]
}

export function isRowFor({ only, except }: RowFor, language: string): boolean {
  return only === undefined ? !except.includes(language) : only === language
}

export interface ToolVersion {
  /** Name of the language as the packs have it. */
  readonly language: string
  /** As it is written: `3.10`, `lts/*`; unresolved where a file or the run says it. */
  readonly version: string
  /** Every version that the matrix has, this one among them. */
  readonly tested: readonly string[]
}

export interface CiStep {
  readonly script: string
  /** Whether the script stands in the file as it is, without an expression. */
  readonly isLiteral: boolean
  /** Variables in force: of workflow, job and step. */
  readonly env: Readonly<Record<string, string>>
  /** Those that the step itself sets to what stands in the file. */
  readonly ownEnv: Readonly<Record<string, string>>
  /** Relative to the root, `` for the root; holds an unresolved piece where it is not known. */
  readonly folder: string
}
