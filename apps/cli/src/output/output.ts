import { createTint } from './tint.ts'

/** The two streams of the process and how the user wants to read them. */
export interface Output {
  readonly json: boolean
  readonly quiet: boolean
  readonly verbose: boolean
  /** Colours a line where colours are wanted. */
  tint(line: string): string
  /** A live view may be drawn on standard error. */
  readonly live: boolean
  /** Width of the terminal. */
  readonly columns: number
  /** The result, for programs: a line of standard output. */
  result(text: string): void
  /** Prose: standard output, or standard error with `--json`. */
  say(text: string): void
  /** Progress: as prose, but silent with `--quiet`. */
  progress(text: string): void
  /** Warnings and errors: standard error. */
  warn(text: string): void
}

export interface OutputStreams {
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
}

export interface OutputFlags {
  readonly json: boolean
  readonly quiet: boolean
  readonly verbose: boolean
  readonly ui: boolean
  readonly color: boolean
}

// some pseudo-terminals say that they are 0 columns wide
const narrowest = 20

export function createOutput(streams: OutputStreams, flags: OutputFlags): Output {
  const out = (text: string): void => void streams.stdout.write(`${text}\n`)
  const err = (text: string): void => void streams.stderr.write(`${text}\n`)
  const terminal = streams.stdout.isTTY === true && streams.stderr.isTTY === true
  const tint = createTint(flags.color && terminal)
  const say = (text: string): void => (flags.json ? err : out)(tint(text))
  return {
    json: flags.json,
    quiet: flags.quiet,
    verbose: flags.verbose,
    tint,
    live: terminal && (streams.stderr.columns ?? 0) >= narrowest && flags.ui && !flags.json && !flags.quiet,
    columns: streams.stderr.columns || 100,
    result: out,
    say,
    progress: flags.quiet ? () => {} : say,
    warn: (text) => err(tint(text)),
  }
}
