import { type Budget, spend } from './budget.ts'
import type { FindText } from './ci-files.ts'
import { type CommandKind, classifyCommand, classifyName } from './classify-command.ts'
import { type AptInstall, readAptInstall } from './debian-packages.ts'
import type { Makefile } from './makefile.ts'
import type { Doubt, ReadShell, ShellScript } from './shell-commands.ts'
import { isResolved, joinFolder } from './unresolved.ts'
import { unwrapCommand } from './unwrap-command.ts'

/** A command of a script and what it is for. */
export interface ReadCommand {
  readonly kind: CommandKind
  readonly language?: string | undefined
  /** As the script has it. */
  readonly words: readonly string[]
  /** Without `sudo`, `uv run` and the like. */
  readonly inner: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Names of those whose values stand in the file. */
  readonly literals: ReadonlySet<string>
  readonly doubt?: Doubt | undefined
  /** The file that the words stand in. */
  readonly file: string
  readonly apt?: AptInstall | undefined
  /** What the target or script that this calls does in turn. */
  readonly calls: readonly ReadCommand[]
}

export interface CommandReader {
  readonly shell: ReadShell
  readonly find: FindText
  readonly makefile: (text: string) => Makefile
  readonly budget: Budget
}

export interface FileScript extends ShellScript {
  readonly file: string
}

/** Targets and scripts that call each other. */
const deepestCalls = 3
export function readCommands(script: FileScript, reader: CommandReader): readonly ReadCommand[] {
  return read(script, 0)

  function read(one: FileScript, depth: number, caller?: Doubt): ReadCommand[] {
    return reader.shell(one).map((command) => {
      const doubt = caller ?? command.doubt
      const { words: inner, env: wrapped } = unwrapCommand(command.words)
      const env = { ...command.env, ...wrapped }
      const from = { ...one, folder: command.folder, callEnv: env }
      const calls =
        depth < deepestCalls
          ? calledScripts(inner, from, reader).flatMap((target) => read(target, depth + 1, doubt))
          : []
      const own = classifyCommand(inner)
      return {
        ...(own.kind === 'other' ? summarize(inner, calls) : own),
        words: command.words,
        inner,
        env,
        literals: command.literals,
        doubt,
        file: one.file,
        apt: readAptInstall(inner, doubt),
        calls,
      }
    })
  }
}

/** Every command, those that are called after the one that calls them. */
export function flattenCommands(commands: readonly ReadCommand[]): readonly ReadCommand[] {
  return commands.flatMap((command) => [command, ...flattenCommands(command.calls)])
}

/** What a target or script is for: its tests decide, then what it installs, then its name. */
function summarize(words: readonly string[], calls: readonly ReadCommand[]): Pick<ReadCommand, 'kind' | 'language'> {
  const all = flattenCommands(calls)
  for (const kind of ['test', 'install'] as const) {
    const found = all.filter((command) => command.kind === kind)
    if (found.length > 0) return { kind, language: found.find(({ language }) => language !== undefined)?.language }
  }
  if (isMake(words)) {
    const kinds = makeTargets(words).map(classifyName)
    return { kind: kinds.find((kind) => kind !== 'other') ?? 'other' }
  }
  const path = scriptPath(words)
  return { kind: path === undefined ? 'other' : classifyName(path.slice(path.lastIndexOf('/') + 1)) }
}

function isMake([program]: readonly string[]): boolean {
  return program === 'make' || program === 'gmake'
}

/** The script that a command stands in, its folder, and the variables that it sets for what it calls. */
interface Caller extends FileScript {
  readonly callEnv: Readonly<Record<string, string>>
}

/** The text behind `make target`, `./script` and `bash script`. */
function calledScripts(words: readonly string[], from: Caller, reader: CommandReader): FileScript[] {
  if (!isResolved(from.folder)) return []
  if (isMake(words)) return makeScripts(words, from, reader)
  const path = scriptPath(words)
  const file = path === undefined ? undefined : joinFolder(from.folder, path)
  const script = file === undefined ? undefined : reader.find(file)
  // A script of another language is not read.
  if (path === undefined || file === undefined || script === undefined) return []
  if (/^#!.*\b(?:python|node|ruby|perl|php|tclsh)/.test(script)) return []
  return [{ file, script, folder: from.folder, env: { ...envOf(from, reader), ...positional(words, path) } }]
}

function envOf({ env, callEnv }: Caller, { budget }: CommandReader): Record<string, string> {
  spend(budget, { bytes: 16 * (Object.keys(env).length + Object.keys(callEnv).length) })
  return { ...env, ...callEnv }
}

/** `$1`, `$@` and `$#` of a script. */
function positional(words: readonly string[], path: string): Record<string, string> {
  const given = words.slice(words.indexOf(path) + 1)
  const numbered = Array.from({ length: 9 }, (_, at) => [at + 1, given[at] ?? ''])
  return { ...Object.fromEntries(numbered), '@': given.join(' '), '*': given.join(' '), '#': String(given.length) }
}

function makeScripts(words: readonly string[], from: Caller, reader: CommandReader): FileScript[] {
  const at = words.findIndex((word) => word === '-C' || word === '--directory')
  const folder = at > 0 ? joinFolder(from.folder, words[at + 1] ?? '') : from.folder
  const named = ['GNUmakefile', 'makefile', 'Makefile'].map((name) => joinFolder(folder, name))
  const file = named.find((path) => reader.find(path) !== undefined)
  if (file === undefined) return []
  const makefile = reader.makefile(reader.find(file)!)
  const targets = makeTargets(words)
  const env = envOf(from, reader)
  // Each line has a shell of its own.
  return (targets.length > 0 ? targets : [makefile.first ?? ''])
    .flatMap((target) => makefile.lines(target))
    .map((script) => ({ file, script, folder, env }))
}

const mostTargets = 20
const valuedOfMake = new Set(['-C', '--directory', '-f', '--file', '-j', '-l', '-o', '-W', '-I'])

function makeTargets(words: readonly string[]): string[] {
  const targets: string[] = []
  for (let at = 1; at < words.length && targets.length < mostTargets; at++) {
    const word = words[at]!
    if (valuedOfMake.has(word)) {
      if (word !== '-j' || /^\d+$/.test(words[at + 1] ?? '')) at++
    } else if (!word.startsWith('-') && !word.includes('=')) targets.push(word)
  }
  return targets
}

/** The path of a script that a command runs: one with a folder, or behind a shell or `source`. */
function scriptPath(words: readonly string[]): string | undefined {
  const [program = '', ...rest] = words
  const isShell = /^(?:\/(?:usr\/)?bin\/)?(?:ba|da)?sh$/.test(program) || program === 'source' || program === '.'
  const path = isShell ? rest.find((word) => !word.startsWith('-')) : program.includes('/') ? program : undefined
  return path !== undefined && isResolved(path) ? path : undefined
}
