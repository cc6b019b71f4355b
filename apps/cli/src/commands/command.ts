import type { Context } from '../context.ts'

/** One flag, as data: the parser, the help, the reference and the configuration layer all read it. */
export interface Flag {
  /** In the parser's notation: `--repo <url>`, `-o, --out <dir>`, `--resume [run]`, `--dry-run`. */
  readonly flags: string
  readonly text: string
  /** Dotted path of the configuration value it sets. */
  readonly sets?: string
  /** It takes `key=value` and sets that key below this section. */
  readonly section?: string
  readonly repeat?: true
}

export interface Operand {
  /** `<path>` or `[path]`. */
  readonly name: string
  readonly text: string
}

/** What was typed, keyed by long name without dashes; a flag that was not typed is absent. */
export type FlagValues = ReadonlyMap<string, string | true | readonly string[]>

export interface CommandRequest {
  readonly flags: FlagValues
  readonly operands: readonly string[]
}

export interface CommandModule {
  /** Does the work and answers the exit code. */
  run(request: CommandRequest, context: Context): Promise<number>
}

export interface CommandSpec {
  /** `generate`, `pipelines list`. */
  readonly name: string
  readonly summary: string
  readonly operands?: readonly Operand[]
  readonly flags: readonly Flag[]
  readonly examples: readonly string[]
  /** Exit codes beside 0, 2, 70 and 130, with their meaning. */
  readonly exits?: Readonly<Record<number, string>>
  load(): Promise<CommandModule>
}
