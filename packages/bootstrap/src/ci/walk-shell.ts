import type {
  AndOr,
  Assignment,
  Case,
  Command,
  CommandNode,
  Function as FunctionNode,
  If,
  PipelineNode,
  Statement,
} from 'unbash'
import type { Doubt, ShellCommand } from './shell-commands.ts'
import { evaluateClause, evaluateTest, isTest, matchesPattern } from './shell-conditions.ts'
import { expandValue, expandWord, isLiteral } from './shell-words.ts'
import { isResolved, joinFolder, unresolved } from './unresolved.ts'

/** Longer values of variables are not known. */
export const longestValue = 1000

export interface ShellState {
  readonly variables: Map<string, string>
  folder: string
}

export interface ShellScope {
  readonly add: (command: ShellCommand) => void
  /** Called with the length of what is copied. */
  readonly pay: (bytes: number) => void
  readonly state: ShellState
  readonly doubt?: Doubt | undefined
}

/** Calls `add` for each simple command, in the order of the text. */
export function walkStatements(statements: readonly Statement[], scope: ShellScope): void {
  for (const { command } of statements) {
    if (command.type === 'AndOr') walkAndOr(command, scope)
    else walkPipeline(command, scope)
  }
}

/** What follows `||` runs only after a failure; what follows a test and `&&`, only where that holds. */
function walkAndOr({ commands, operators }: AndOr, scope: ShellScope): void {
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

function walkPipeline(node: PipelineNode, scope: ShellScope): void {
  const commands = node.type === 'Pipeline' ? node.commands : [node]
  const alone = commands.length === 1
  for (const command of commands) walkCommand(command, alone ? scope : inSubshell(scope))
}

function walkCommand(node: CommandNode, scope: ShellScope): void {
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
      walkStatements(node.body.commands, inSubshell(scope))
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
      walkCase(node, scope)
      break
    case 'Function':
      walkFunction(node, doubted(inSubshell(scope), 'function'))
  }
}

/** What is defined is not yet run. */
function walkFunction({ body }: FunctionNode, scope: ShellScope): void {
  if (body.type === 'CompoundList') walkStatements(body.commands, scope)
  else walkCommand(body, scope)
}

function walkIf({ clause, then, elif, else: otherwise }: If, scope: ShellScope): void {
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

/** The branch that fits, where that is known; else all that may. */
function walkCase({ word, items }: Case, scope: ShellScope): void {
  const text = expandWord(word, scope.state.variables).join(' ')
  let doubt = scope.doubt
  for (const { pattern, body } of items) {
    const fits = pattern.map((one) => (isResolved(text) ? matchesPattern(text, one, scope.state.variables) : undefined))
    const isSure = fits.includes(true)
    if (!isSure && !fits.includes(undefined)) continue
    if (!isSure) doubt ??= 'condition'
    walkStatements(body.commands, { ...scope, doubt })
    if (isSure) return
  }
}

function walkSimple(command: Command, scope: ShellScope): void {
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
    scope.add({ words, env, literals: literalsOf(set, command.args), folder: state.folder, doubt })
  }
}

/** Of `A=1 env B=2 C=$X command`: A and B. */
function literalsOf(set: readonly Assignment[], args: Command['args']): ReadonlySet<string> {
  const names = set.filter(({ value }) => value?.type === 'Word' && isLiteral(value)).map(({ name }) => name)
  const inWords = args.flatMap((word) =>
    word.type === 'Word' && isLiteral(word) ? (/^([A-Za-z_]\w*)=/.exec(word.value)?.[1] ?? []) : [],
  )
  return new Set([...names, ...inWords])
}

function changeFolder(words: readonly string[], { state, doubt }: ShellScope): void {
  const [path] = words.filter((word) => word !== '--')
  state.folder = path === undefined || doubt !== undefined ? unresolved : joinFolder(state.folder, path)
}

function assignFrom({ name, value, append, index }: Assignment, scope: ShellScope): void {
  const { variables } = scope.state
  const text = expandValue(value, variables)
  const before = append ? `${variables.get(name) ?? unresolved}${value?.type === 'ArrayValue' ? ' ' : ''}` : ''
  assign(name, index === undefined ? before + text : unresolved, scope)
}

/** A variable that is perhaps set otherwise is not known, nor one that grows by doubling. */
function assign(name: string, value: string, { state, doubt, pay }: ShellScope): void {
  pay(value.length)
  state.variables.set(name, doubt === undefined && value.length <= longestValue ? value : unresolved)
}

function inSubshell(scope: ShellScope): ShellScope {
  const { variables, folder } = scope.state
  scope.pay(variables.size * 16)
  return { ...scope, state: { variables: new Map(variables), folder } }
}

function doubted(scope: ShellScope, doubt: Doubt): ShellScope {
  return { ...scope, doubt: scope.doubt ?? doubt }
}
