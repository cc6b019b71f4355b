import { type Budget, spend } from './budget.ts'
import { unresolved } from './unresolved.ts'
import { longestValue, walkStatements } from './walk-shell.ts'

/** A simple command of a script, its words expanded as far as the script says. */
export interface ShellCommand {
  /** A word that is not known in full holds an unresolved piece. */
  readonly words: readonly string[]
  /** Variables set for this command alone. */
  readonly env: Readonly<Record<string, string>>
  /** Names of variables, of this command or in its words, whose values stand in the script. */
  readonly literals: ReadonlySet<string>
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

/** Definitions in definitions, which the parser follows without an end of its own. */
const mostFunctions = 200
/** How much longer than copying a text it takes to parse it. */
const costOfParsing = 8

/** A reader of the commands of a shell script, in their order. Nothing is run, and `$(…)` is never known. */
export async function openShellReader(budget: Budget): Promise<ReadShell> {
  const { parse } = await import('unbash')
  const parsed = new Map<string, ReturnType<typeof parse>>()

  function statementsOf(script: string): ReturnType<typeof parse>['commands'] {
    spend(budget, { bytes: script.length * costOfParsing })
    if (script.length > longestScript || (script.match(/\(\s*\)/g)?.length ?? 0) > mostFunctions) return []
    const known = parsed.get(script) ?? parse(script)
    parsed.set(script, known)
    return known.commands
  }

  function read(script: ShellScript, depth: number): ShellCommand[] {
    const variables = variablesOf(script.env)
    spend(budget, { bytes: variables.size * 16 })
    const found: ShellCommand[] = []
    const add = (command: ShellCommand): void => {
      spend(budget, { commands: 1, bytes: command.words.reduce((sum, word) => sum + word.length + 16, 0) })
      const inner = depth < deepestScripts ? shellArgument(command.words) : undefined
      const nested =
        inner === undefined ? [command] : read({ ...script, script: inner, folder: command.folder }, depth + 1)
      for (const one of nested) {
        const doubt = command.doubt ?? one.doubt
        const literals = one === command ? one.literals : noNames // the script itself may be made of variables
        if (found.length < mostCommands) found.push({ ...one, literals, doubt })
      }
    }
    walkStatements(statementsOf(script.script), {
      add,
      pay: (bytes) => spend(budget, { bytes }),
      state: { variables, folder: script.folder },
    })
    return found
  }

  return (script) => read(script, 0)
}

const noNames: ReadonlySet<string> = new Set()

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
