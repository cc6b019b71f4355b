import { Command, CommanderError, Option } from 'commander'
import type { CommandRequest, CommandSpec, Flag, FlagValues } from './commands/command.ts'
import { GLOBAL_FLAGS } from './commands/global-flags.ts'
import { COMMANDS } from './commands/table.ts'

export type Parsed =
  | { readonly kind: 'run'; readonly spec: CommandSpec; readonly request: CommandRequest }
  | { readonly kind: 'print'; readonly text: string }
  | { readonly kind: 'usage'; readonly code: string; readonly message: string; readonly fix: string }

export interface ParseOptions {
  readonly version: string
  readonly columns: number
}

/** Turns the words of the command line into a command with its typed flags, or into text to print. */
export function parseArguments(words: readonly string[], options: ParseOptions): Parsed {
  const printed: string[] = []
  let parsed: Extract<Parsed, { kind: 'run' }> | undefined
  const program = buildProgram(
    options,
    (text) => printed.push(text),
    (spec, request) => {
      parsed = { kind: 'run', spec, request }
    },
  )
  try {
    program.parse(words, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return outcomeOf(error, printed, words)
  }
  return parsed?.kind === 'run' ? (emptyPath(parsed) ?? parsed) : noCommand(words)
}

/** An empty path, such as an unset variable of a shell leaves, would mean the working directory. */
function emptyPath({ spec, request }: Extract<Parsed, { kind: 'run' }>): Parsed | undefined {
  const flag = spec.flags.find(
    ({ flags }) => /<(dir|path|file)>/.test(flags) && request.flags.get(flagName(flags)) === '',
  )
  const what = flag ? `--${flagName(flag.flags)}` : request.operands.includes('') && spec.operands?.[0]?.name
  if (!what) return undefined
  return { kind: 'usage', code: 'missing_value', message: `${what} is empty`, fix: 'give a path' }
}

const flagName = (flags: string) => /--([a-z-]+)/.exec(flags)![1]!

type Print = (text: string) => void
type Choose = (spec: CommandSpec, request: CommandRequest) => void

function buildProgram(options: ParseOptions, print: Print, choose: Choose): Command {
  const program = new Command('r2e')
    .description('Turn any repository into verified RL environments.')
    .exitOverride()
    .enablePositionalOptions()
    .configureOutput({ writeOut: print, writeErr: () => {}, getOutHelpWidth: () => options.columns })
    // every text is ASCII, and the library's own measure costs a tenth of the start
    .configureHelp({ displayWidth: (text) => text.length })
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'show the help of a command')
  addGlobalFlags(program, options.version)
  const groups = new Map<string, Command>([['', program]])
  for (const spec of COMMANDS) {
    const [first = '', second] = spec.name.split(' ')
    const parent = second === undefined ? program : groupOf(groups, first, options.version)
    const command = addCommand(parent, second ?? first, spec)
    if (second === undefined) groups.set(first, command.enablePositionalOptions())
    addGlobalFlags(command, options.version)
    command.action(() => choose(spec, { flags: typedFlags(command), operands: command.args }))
  }
  return program
}

function groupOf(groups: Map<string, Command>, name: string, version: string): Command {
  const known = groups.get(name)
  if (known) return known
  const group = groups.get('')!.command(name).enablePositionalOptions()
  const summaries = membersOf(name).map(({ summary }) => summary)
  group.summary(summaries.join('; ')).description(sentence(summaries.join('; ')))
  addGlobalFlags(group, version)
  groups.set(name, group)
  return group
}

function membersOf(group: string): readonly CommandSpec[] {
  return COMMANDS.filter(({ name }) => name.startsWith(`${group} `))
}

function addCommand(parent: Command, name: string, spec: CommandSpec): Command {
  const command = parent.command(name).summary(spec.summary).description(sentence(spec.summary))
  for (const operand of spec.operands ?? []) command.argument(operand.name, operand.text)
  for (const flag of spec.flags) command.addOption(optionOf(flag))
  const exits = Object.entries(spec.exits ?? {}).map(([code, meaning]) => `  ${code}  ${meaning}`)
  if (exits.length > 0) command.addHelpText('after', ['', 'Exit codes beside 0 and 2:', ...exits].join('\n'))
  return command.addHelpText('after', ['', 'Examples:', ...spec.examples.map((line) => `  ${line}`)].join('\n'))
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function addGlobalFlags(command: Command, version: string): void {
  for (const flag of GLOBAL_FLAGS) command.addOption(optionOf(flag).helpGroup('Global options:'))
  command.on('option:version', () => {
    throw new CommanderError(0, 'r2e.version', version)
  })
}

function optionOf(flag: Flag): Option {
  const option = new Option(flag.flags, flag.text)
  if (flag.repeat) option.argParser((value: string, previous: string[] | undefined) => [...(previous ?? []), value])
  return option
}

/** The flags that were typed, on the command and on every command above it; the nearest wins. */
function typedFlags(command: Command): FlagValues {
  const values = command.parent ? new Map(typedFlags(command.parent)) : new Map<string, string | true | string[]>()
  for (const option of command.options) {
    const name = option.attributeName()
    if (command.getOptionValueSource(name) !== 'cli') continue
    const value = command.getOptionValue(name)
    values.set(option.long!.slice(2), option.negate ? true : value)
  }
  return values
}

function outcomeOf(error: CommanderError, printed: readonly string[], words: readonly string[]): Parsed {
  if (error.code === 'r2e.version') return { kind: 'print', text: `${error.message}\n` }
  if (error.exitCode === 0) return { kind: 'print', text: printed.join('') }
  if (error.code === 'commander.help') return noCommand(words)
  if (error.code === 'commander.excessArguments') {
    const unknown = unknownMember(words)
    if (unknown) return unknown
  }
  const [, message = '', guess] = /^error: (.*?)(?:\n?\(Did you mean (.*)\?\))?$/s.exec(error.message) ?? []
  const code = error.code.replace(/^commander\./, '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const fix = guess ? `did you mean ${guess}?` : 'see r2e --help, or r2e help COMMAND'
  return { kind: 'usage', code, message: message.trim(), fix }
}

/** A word after a command that has commands of its own. */
function unknownMember(words: readonly string[]): Parsed | undefined {
  const at = words.findIndex((word) => membersOf(word).length > 0)
  const [group, word] = [words[at], words[at + 1]]
  if (group === undefined || word === undefined || word.startsWith('-')) return undefined
  const known = membersOf(group).map(({ name }) => name.split(' ')[1])
  return {
    kind: 'usage',
    code: 'unknown_command',
    message: `unknown command '${group} ${word}'`,
    fix: `one of: ${known.join(', ')}; or ${COMMANDS.find(({ name }) => name === group)?.examples[0] ?? `r2e ${group} ${known[0]}`}`,
  }
}

function noCommand(words: readonly string[]): Parsed {
  const group = words.find((word) => membersOf(word).length > 0)
  if (group !== undefined) {
    const members = membersOf(group)
    const message = `${group} wants one of: ${members.map(({ name }) => name.split(' ')[1]).join(', ')}`
    const fix = members.map(({ examples }) => examples[0]).join(', or ')
    return { kind: 'usage', code: 'no_command', message, fix }
  }
  return {
    kind: 'usage',
    code: 'no_command',
    message: 'no command was given',
    fix: 'r2e generate --repo PATH --pipeline commit_runtime --out DIR, or r2e --help',
  }
}
