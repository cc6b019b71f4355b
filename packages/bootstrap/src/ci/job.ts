/**
 * A job of a CI file, an image or a development container, matrix and expressions resolved to one run on Linux. What
 * could not be resolved holds the character of `unresolved.ts`.
 */
export interface CiJob {
  readonly file: string
  readonly name: string
  /** What it is for, by its trigger: every change, or only a release, the clock, a person's wish. */
  readonly isRegular: boolean
  /** The image that its steps run in, where it names one. */
  readonly image?: string | undefined
  readonly versions: readonly ToolVersion[]
  readonly services: readonly string[]
  /** Debian packages that an action or feature installs by name. */
  readonly packages: readonly string[]
  readonly steps: readonly CiStep[]
}

export interface ToolVersion {
  /** Name of the language as the packs have it. */
  readonly language: string
  /** As it is written: `3.10`, `lts/*`. */
  readonly version: string
  /** Every version that the matrix has, this one among them. */
  readonly tested: readonly string[]
}

export interface CiStep {
  readonly script: string
  /** Variables in force: of workflow, job and step. */
  readonly env: Readonly<Record<string, string>>
  /** Names of those that the step itself sets to what stands in the file. */
  readonly ownEnv: readonly string[]
  /** Relative to the root, `` for the root; holds an unresolved piece where it is not known. */
  readonly folder: string
}
