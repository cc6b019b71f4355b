import type {
  AndOr,
  Assignment,
  Command,
  CommandNode,
  Function as FunctionNode,
  If,
  PipelineNode,
  Statement,
} from 'unbash'
import { joinFolder } from './join-folder.ts'
import { evaluateClause, evaluateTest, isTest } from './shell-conditions.ts'
import { expandValue, expandWord } from './shell-words.ts'
import { isResolved, unresolved } from './unresolved.ts'

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
const longestValue = 1000
/** Scripts in an argument of `bash -c`. */
const deepestScripts = 3

/** What every job on Linux finds set. */
const given = { CI: 'true', OSTYPE: 'linux-gnu', RUNNER_OS: 'Linux' }

/** A reader of the commands of a shell script, in their order. Nothing is run, and `$(…)` is never known. */
export async function openShellReader(): Promise<ReadShell> {
  const { parse } = await import('unbash')
  const read = (script: ShellScript, depth: number): ShellCommand[] => {
    if (script.script.length > longestScript) return []
    const state: State = { variables: variablesOf(script.env), folder: script.folder }
    const found: ShellCommand[] = []
    const walk: Walk = {
      add: (command) => {
        const inner = depth < deepestScripts ? shellArgument(command.words) : undefined
        const nested =
          inner === undefined ? [command] : read({ ...script, script: inner, folder: command.folder }, depth + 1)
        for (const one of nested) {
          const doubt = command.doubt ?? one.doubt
          if (found.length < mostCommands) found.push(doubt === undefined ? one : { ...one, doubt })
        }
      },
    }
    walkStatements(parse(script.script).commands, { walk, state })
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
  const script = at > 0 ? words[at + 1] : undefined
  return script !== undefined && isResolved(script) ? script : undefined
}

interface State {
  readonly variables: Map<string, string>
  folder: string
}

interface Walk {
  readonly add: (command: ShellCommand) => void
}

interface Scope {
  readonly walk: Walk
  readonly state: State
  readonly doubt?: Doubt | undefined
}

function walkStatements(statements: readonly Statement[], scope: Scope): void {
  for (const { command } of statements) {
    if (command.type === 'AndOr') walkAndOr(command, scope)
    else walkPipeline(command, scope)
  }
}

/** What follows `||` runs only after a failure; what follows a test and `&&`, only where that holds. */
function walkAndOr({ commands, operators }: AndOr, scope: Scope): void {
  let skipped = false
  let doubt = scope.doubt
  for (const [index, command] of commands.entries()) {
    const operator = operators[index - 1]
    const isAfterFailure = operator === '||' && !skipped
    if (operator === '||') {
      doubt = isAfterFailure ? (scope.doubt ?? 'condition') : scope.doubt
      skipped = false
    }
    if (!skipped) walkPipeline(command, { ...scope, doubt })
    if (operator === '||') doubt = scope.doubt
    if (!isTest(command)) continue
    const holds = evaluateTest(command, scope.state.variables)
    if (holds === undefined) doubt = scope.doubt ?? 'condition'
    else if (!holds) skipped = true
  }
}

function walkPipeline(node: PipelineNode, scope: Scope): void {
  const commands = node.type === 'Pipeline' ? node.commands : [node]
  const alone = commands.length === 1
  for (const command of commands) walkCommand(command, alone ? scope : { ...scope, state: copyOf(scope.state) })
}

function walkCommand(node: CommandNode, scope: Scope): void {
  switch (node.type) {
    case 'Command':
      walkSimple(node, scope)
      break
    case 'Redirected':
      walkCommand(node.command, scope)
      break
    case 'BraceGroup':
      walkStatements(node.body.commands, scope)
      break
    case 'Subshell':
      walkStatements(node.body.commands, { ...scope, state: copyOf(scope.state) })
      break
    case 'If':
      walkIf(node, scope)
      break
    case 'For':
    case 'Select':
      assign(node.name.value, unresolved, scope)
      walkStatements(node.body.commands, doubted(scope, 'loop'))
      break
    case 'While':
    case 'ArithmeticFor':
      walkStatements(node.body.commands, doubted(scope, 'loop'))
      break
    case 'Case':
      for (const item of node.items) walkStatements(item.body.commands, doubted(scope, 'condition'))
      break
    case 'Function':
      walkFunction(node, doubted({ ...scope, state: copyOf(scope.state) }, 'function'))
  }
}

/** What is defined is not yet run. */
function walkFunction({ body }: FunctionNode, scope: Scope): void {
  if (body.type === 'CompoundList') walkStatements(body.commands, scope)
  else walkCommand(body, scope)
}

function walkIf({ clause, then, elif, else: otherwise }: If, scope: Scope): void {
  let doubt = scope.doubt
  for (const branch of [{ clause, then }, ...elif]) {
    walkStatements(branch.clause.commands, { ...scope, doubt })
    const holds = evaluateClause(branch.clause, scope.state.variables)
    if (holds === false) continue
    if (holds === undefined) doubt ??= 'condition'
    walkStatements(branch.then.commands, { ...scope, doubt })
    if (holds) return
  }
  if (otherwise) walkStatements(otherwise.commands, { ...scope, doubt })
}

function walkSimple(command: Command, scope: Scope): void {
  const { state, doubt } = scope
  const set = command.prefix.filter((entry) => entry.type === 'Assignment')
  if (command.name === undefined) {
    for (const assignment of set) assignFrom(assignment, scope)
    return
  }
  const words = [
    ...expandWord(command.name, state.variables),
    ...command.args.flatMap((word) =>
      word.type === 'Word'
        ? expandWord(word, state.variables)
        : [`${word.name}=${expandValue(word.value, state.variables)}`],
    ),
  ]
  const [name = '', ...rest] = words
  if (name === 'cd' || name === 'pushd') changeFolder(rest, scope)
  else if (name === 'popd') state.folder = unresolved
  else if (['export', 'declare', 'local', 'readonly', 'typeset'].includes(name)) {
    for (const word of command.args) if (word.type === 'Assignment') assignFrom(word, scope)
  } else if (words.length > 0) {
    const env = Object.fromEntries(set.map(({ name, value }) => [name, expandValue(value, state.variables)]))
    scope.walk.add({ words, env, folder: state.folder, doubt })
  }
}

function changeFolder(words: readonly string[], { state, doubt }: Scope): void {
  const [path] = words.filter((word) => word !== '--')
  state.folder = path === undefined || doubt !== undefined ? unresolved : joinFolder(state.folder, path)
}

function assignFrom({ name, value, append, index }: Assignment, scope: Scope): void {
  const { variables } = scope.state
  const text = expandValue(value, variables)
  const before = append ? `${variables.get(name) ?? unresolved}${value?.type === 'ArrayValue' ? ' ' : ''}` : ''
  assign(name, index === undefined ? before + text : unresolved, scope)
}

/** A variable that is perhaps set otherwise is not known, nor one that grows by doubling. */
function assign(name: string, value: string, { state, doubt }: Scope): void {
  state.variables.set(name, doubt === undefined && value.length <= longestValue ? value : unresolved)
}

function copyOf({ variables, folder }: State): State {
  return { variables: new Map(variables), folder }
}

function doubted(scope: Scope, doubt: Doubt): Scope {
  return { ...scope, doubt: scope.doubt ?? doubt }
}
