import { unresolved } from './unresolved.ts'
import { longestValue, type ShellState, walkStatements } from './walk-shell.ts'

/** A simple command of a script, its words expanded as far as the script says. */
export interface ShellCommand {
  /** A word that is not known in full holds an unresolved piece. */
  readonly words: readonly string[]
  /** Variables set for this command alone. */
  readonly env: Readonly<Record<string, string>>
  /** Relative to the root of the tree. */
  readonly folder: string
  /** Why it may not run, or run with other words; absent where it runs. */
  readonly doubt?: Doubt | undefined
}

export type Doubt = 'loop' | 'condition' | 'function'

export interface ShellScript {
  readonly script: string
  readonly env: Readonly<Record<string, string>>
  readonly folder: string
}

export type ReadShell = (script: ShellScript) => readonly ShellCommand[]

const longestScript = 16 * 1024
const mostCommands = 500
/** Scripts in an argument of `bash -c`. */
const deepestScripts = 3

/** What every job on Linux finds set. */
const given = { CI: 'true', OSTYPE: 'linux-gnu', RUNNER_OS: 'Linux' }

/** A reader of the commands of a shell script, in their order. Nothing is run, and `$(…)` is never known. */
export async function openShellReader(): Promise<ReadShell> {
  const { parse } = await import('unbash')
  const read = (script: ShellScript, depth: number): ShellCommand[] => {
    if (script.script.length > longestScript) return []
    const state: ShellState = { variables: variablesOf(script.env), folder: script.folder }
    const found: ShellCommand[] = []
    const add = (command: ShellCommand): void => {
      const inner = depth < deepestScripts ? shellArgument(command.words) : undefined
      const nested =
        inner === undefined ? [command] : read({ ...script, script: inner, folder: command.folder }, depth + 1)
      for (const one of nested) {
        const doubt = command.doubt ?? one.doubt
        if (found.length < mostCommands) found.push(doubt === undefined ? one : { ...one, doubt })
      }
    }
    walkStatements(parse(script.script).commands, { add, state })
    return found
  }
  return (script) => read(script, 0)
}

function variablesOf(env: Readonly<Record<string, string>>): Map<string, string> {
  const short = Object.entries(env).map(([name, value]): [string, string] => [
    name,
    value.length > longestValue ? unresolved : value,
  ])
  return new Map([...Object.entries(given), ...short])
}

/** The script in `bash -ec '…'`. */
function shellArgument(words: readonly string[]): string | undefined {
  if (!/^(?:\/(?:usr\/)?bin\/)?(?:ba|da)?sh$/.test(words[0] ?? '')) return undefined
  const at = words.findIndex((word) => /^-[a-z]*c$/.test(word))
  return at > 0 ? words[at + 1] : undefined
}
