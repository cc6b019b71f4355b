import type { Output } from './output/output.ts'

/** What a command may know of the world; everything that touches the process passes through here. */
export interface Context {
  /** Absolute. */
  readonly directory: string
  readonly home: string
  /** The process environment over the nearest `.env` file. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Path of that `.env` file. */
  readonly environmentFile: string | undefined
  readonly output: Output
  readonly version: string
  readonly now: () => Date
  readonly signal: AbortSignal
}
