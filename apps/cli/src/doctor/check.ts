/** One line of `doctor`: whether a thing is there, and what to do where it is not. */
export interface Check {
  readonly name: string
  readonly ok: boolean
  /** Nothing can be generated without it. */
  readonly needed: boolean
  readonly detail: string
  readonly fix?: string | undefined
  /** What works less well here. */
  readonly warnings: readonly string[]
}
