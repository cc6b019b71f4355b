import type { Command, CommandNode, CompoundList, PipelineNode, TestExpression, Word } from 'unbash'
import { expandWord, type Variables } from './shell-words.ts'
import { isResolved } from './unresolved.ts'

/** What a test says, as far as its words are known: `[ "$RUNNER_OS" = Linux ]`. Undefined = not known, or no test. */
export function evaluateTest(node: PipelineNode, variables: Variables): boolean | undefined {
  if (node.type === 'Pipeline') {
    const [only] = node.commands
    const value = node.commands.length === 1 && only ? evaluateTest(only, variables) : undefined
    const signs = node.prefixes.filter((prefix) => prefix.type === 'Negation').length
    return value === undefined ? undefined : value === (signs % 2 === 0)
  }
  if (node.type === 'TestCommand') return evaluateExpression(node.expression, variables)
  return node.type === 'Command' ? evaluateCommand(node, variables) : undefined
}

/** The test of an `if`, where it is one command. */
export function evaluateClause({ commands }: CompoundList, variables: Variables): boolean | undefined {
  const [only] = commands
  if (commands.length !== 1 || only === undefined || only.command.type === 'AndOr') return undefined
  return evaluateTest(only.command, variables)
}

export function isTest(node: CommandNode | PipelineNode): boolean {
  if (node.type === 'Pipeline') return node.commands.length === 1 && isTest(node.commands[0]!)
  return node.type === 'TestCommand' || (node.type === 'Command' && ['[', 'test'].includes(node.name?.value ?? ''))
}

function evaluateCommand(command: Command, variables: Variables): boolean | undefined {
  const name = command.name?.value
  if (name === 'true' || name === 'false') return name === 'true'
  if (name !== '[' && name !== 'test') return undefined
  const words = command.args.map((word) => (word.type === 'Word' ? word : undefined))
  if (name === '[' && words.pop()?.value !== ']') return undefined
  const [first, second, third, ...rest] = words
  if (rest.length > 0 || first === undefined || second === undefined) return undefined
  if (third === undefined) return unary(first.value, second, variables)
  return binary({ left: first, operator: second.value, right: third }, variables, false)
}

function evaluateExpression(test: TestExpression, variables: Variables): boolean | undefined {
  switch (test.type) {
    case 'TestUnary':
      return unary(test.operator, test.operand, variables)
    case 'TestBinary':
      return binary(test, variables, true)
    case 'TestGroup':
      return evaluateExpression(test.expression, variables)
    case 'TestNot': {
      const value = evaluateExpression(test.operand, variables)
      return value === undefined ? undefined : value === (test.negations.length % 2 === 0)
    }
    case 'TestLogical': {
      const values = test.operands.map((operand) => evaluateExpression(operand, variables))
      const decides = test.operator === '||'
      if (values.includes(decides)) return decides
      return values.includes(undefined) ? undefined : !decides
    }
  }
}

function unary(operator: string, operand: Word, variables: Variables): boolean | undefined {
  const value = textOf(operand, variables)
  if (value === undefined || (operator !== '-n' && operator !== '-z')) return undefined
  return (value === '') === (operator === '-z')
}

interface Comparison {
  readonly left: Word
  readonly operator: string
  readonly right: Word
}

/** Only in `[[ ]]` is the right side a pattern. */
function binary({ left, operator, right }: Comparison, variables: Variables, isPattern: boolean): boolean | undefined {
  const text = textOf(left, variables)
  if (text === undefined || !['=', '==', '!='].includes(operator)) return undefined
  const wanted = textOf(right, variables)
  const fits = isPattern ? matchesPattern(text, right, variables) : wanted === undefined ? undefined : text === wanted
  return fits === undefined ? undefined : fits === (operator !== '!=')
}

function textOf(word: Word, variables: Variables): string | undefined {
  const text = expandWord(word, variables).join(' ')
  return isResolved(text) ? text : undefined
}

/** Whether a text fits a pattern of `case` or `[[ x == pattern ]]`; undefined where it is not known. Of patterns only stars are, one anywhere or one at each end. */
export function matchesPattern(text: string, pattern: Word, variables: Variables): boolean | undefined {
  const globs = pattern.parts?.filter((part) => part.type === 'Glob' || part.type === 'ExtendedGlob') ?? []
  const value = expandWord(pattern, variables).join(' ')
  if (!isResolved(value)) return undefined
  if (globs.length === 0) return text === value
  if (globs.some((glob) => glob.type !== 'Glob' || glob.kind !== 'star')) return undefined
  const [start = '', middle = '', end = '', ...rest] = value.split('*')
  if (globs.length === 1)
    return text.length >= start.length + middle.length && text.startsWith(start) && text.endsWith(middle)
  return globs.length === 2 && start === '' && end === '' && rest.length === 0 ? text.includes(middle) : undefined
}
