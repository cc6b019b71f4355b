import { type AptInstall, readAptInstall } from './apt-packages.ts'
import type { FindText } from './ci-files.ts'
import { type CommandKind, classifyCommand, classifyName } from './classify-command.ts'
import { joinFolder } from './join-folder.ts'
import { readMakefile } from './makefile.ts'
import type { Doubt, ReadShell, ShellScript } from './shell-commands.ts'
import { isResolved } from './unresolved.ts'
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
  readonly folder: string
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
}

export interface FileScript extends ShellScript {
  readonly file: string
}

/** Targets and scripts that call each other. */
const deepestCalls = 3
/** Of one script and all that it calls. */
const mostCommands = 1000

export function readCommands(script: FileScript, reader: CommandReader): readonly ReadCommand[] {
  let left = mostCommands

  return read(script, 0)

  function read(one: FileScript, depth: number, caller?: Doubt): ReadCommand[] {
    return reader.shell(one).flatMap((command) => {
      if (--left < 0) return []
      const doubt = caller ?? command.doubt
      const { words: inner, env: wrapped } = unwrapCommand(command.words)
      const env = { ...command.env, ...wrapped }
      const call =
        depth < deepestCalls
          ? calledScript(inner, command.folder, { ...one, env: { ...one.env, ...env } }, reader.find)
          : []
      const calls = call.flatMap((target) => read(target, depth + 1, doubt))
      const own = classifyCommand(inner)
      const summary = own.kind === 'other' ? summarize(inner, calls) : own
      return [
        {
          ...summary,
          words: command.words,
          inner,
          env,
          folder: command.folder,
          doubt,
          file: one.file,
          apt: readAptInstall(inner, doubt),
          calls,
        },
      ]
    })
  }
}

/** Every command, those that are called after the one that calls them. */
export function flattenCommands(commands: readonly ReadCommand[]): readonly ReadCommand[] {
  return commands.flatMap((command) => [command, ...flattenCommands(command.calls)])
}

/** What a target or script is for: its tests decide, then what it installs or builds, then its name. */
function summarize(words: readonly string[], calls: readonly ReadCommand[]): Pick<ReadCommand, 'kind' | 'language'> {
  const all = flattenCommands(calls)
  for (const kind of ['test', 'install', 'build'] as const) {
    const found = all.filter((command) => command.kind === kind)
    if (found.length > 0) return { kind, language: found.find(({ language }) => language !== undefined)?.language }
  }
  const [program = ''] = words
  if (program === 'make' || program === 'gmake')
    return {
      kind:
        makeTargets(words)
          .map(classifyName)
          .find((kind) => kind !== 'other') ?? (makeTargets(words).length > 0 ? 'other' : 'build'),
    }
  const path = scriptPath(words)
  return { kind: path === undefined ? 'other' : classifyName(path.slice(path.lastIndexOf('/') + 1)) }
}

/** The text behind `make target`, `./script` and `bash script`. */
function calledScript(words: readonly string[], folder: string, from: FileScript, find: FindText): FileScript[] {
  if (!isResolved(folder)) return []
  const [program = ''] = words
  if (program === 'make' || program === 'gmake') return makeScripts(words, folder, from, find)
  const path = scriptPath(words)
  const file = path === undefined ? undefined : joinFolder(folder, path)
  const text = file === undefined ? undefined : find(file)
  // A script of another language is not read.
  if (text === undefined || /^#!.*\b(?:python|node|ruby|perl|php|tclsh)/.test(text)) return []
  return [{ ...from, file: file!, script: text, folder, env: { ...from.env, ...positional(words, path!) } }]
}

/** `$1`, `$@` and `$#` of a script. */
function positional(words: readonly string[], path: string): Record<string, string> {
  const given = words.slice(words.indexOf(path) + 1)
  const numbered = Array.from({ length: 9 }, (_, at) => [at + 1, given[at] ?? ''])
  return { ...Object.fromEntries(numbered), '@': given.join(' '), '*': given.join(' '), '#': String(given.length) }
}

function makeScripts(words: readonly string[], folder: string, from: FileScript, find: FindText): FileScript[] {
  const at = words.findIndex((word) => word === '-C' || word === '--directory')
  const inside = at > 0 ? joinFolder(folder, words[at + 1] ?? '') : folder
  const named = ['GNUmakefile', 'makefile', 'Makefile'].map((name) => joinFolder(inside, name))
  const file = named.find((path) => find(path) !== undefined)
  if (file === undefined) return []
  const makefile = readMakefile(find(file)!)
  const targets = makeTargets(words)
  const lines = (targets.length > 0 ? targets : [makefile.first ?? '']).flatMap((target) => makefile.lines(target))
  // Each line has a shell of its own.
  return lines.map((script) => ({ ...from, file, script, folder: inside }))
}

function makeTargets(words: readonly string[]): string[] {
  const targets: string[] = []
  for (let at = 1; at < words.length; at++) {
    const word = words[at]!
    if (['-C', '--directory', '-f', '--file', '-j', '-l', '-o', '-W', '-I'].includes(word)) {
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
