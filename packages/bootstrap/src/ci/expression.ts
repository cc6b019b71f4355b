import { type Budget, spend } from './budget.ts'
import {
  callFunction,
  compareValues,
  type ExpressionValue,
  isTrue,
  propertyOf,
  renderValue,
} from './expression-values.ts'
import { isResolved, unresolved } from './unresolved.ts'
import type { YamlValue } from './yaml.ts'

/** The contexts of an expression by name, such as `matrix`; a name that is missing here is unknown. */
export type ExpressionContext = Readonly<Record<string, YamlValue>>

const longest = 2000
const deepest = 20

/** The value of an expression of GitHub Actions, without its `${{ }}`. */
export function evaluateExpression(source: string, context: ExpressionContext): ExpressionValue {
  const tokens = source.length > longest ? undefined : tokenize(source)
  return tokens && readExpression(tokens, context)
}

/** Whether a step or job runs; undefined where only the run decides. */
export function evaluateCondition(source: string, context: ExpressionContext): boolean | undefined {
  const value = evaluateExpression(onlyExpression(source) ?? source, context)
  return value === undefined ? undefined : isTrue(value)
}

/** What stands in `${{ }}`, where nothing else does. */
function onlyExpression(text: string): string | undefined {
  const whole = text.trim()
  const isOne = whole.startsWith('${{') && whole.indexOf('}}') === whole.length - 2
  return isOne ? whole.slice(3, -2) : undefined
}

/** Beside its text, for what it may look at. */
const costOfExpression = 200

/** Puts the values of `${{ … }}` into a text. */
export function resolveTemplate(text: string, context: ExpressionContext, budget: Budget): string {
  let resolved = ''
  let at = 0
  spend(budget, { bytes: text.length + 16 })
  for (;;) {
    const start = text.indexOf('${{', at)
    const end = start < 0 ? -1 : text.indexOf('}}', start)
    if (end < 0) return resolved + text.slice(at)
    const value = evaluateExpression(text.slice(start + 3, end), context)
    const shown = value === undefined ? unresolved : renderValue(value)
    spend(budget, { bytes: costOfExpression + shown.length })
    resolved += text.slice(at, start) + (shown.length > longest ? unresolved : shown)
    at = end + 2
  }
}

/** A list or map that one expression stands for keeps its type; other texts are filled in. */
export function resolveValue(text: string, context: ExpressionContext, budget: Budget): ExpressionValue {
  const whole = onlyExpression(text)
  if (whole === undefined) return resolveTemplate(text, context, budget)
  spend(budget, { bytes: costOfExpression + text.length })
  return evaluateExpression(whole, context)
}

function tokenize(source: string): string[] | undefined {
  const token = /\s+|'(?:[^']|'')*'|\d+(?:\.\d+)*|[A-Za-z_][\w-]*|&&|\|\||==|!=|<=|>=|[<>!().,[\]*]/y
  const tokens: string[] = []
  while (token.lastIndex < source.length) {
    const match = token.exec(source)
    if (match === null) return undefined
    if (match[0].trim() !== '') tokens.push(match[0])
  }
  return tokens
}

/** Recursive descent. Every operand is read, so that the place in the tokens never depends on a value. */
function readExpression(tokens: readonly string[], context: ExpressionContext): ExpressionValue {
  let at = 0
  let depth = 0
  let isBroken = false

  const value = either()
  return isBroken || at < tokens.length ? undefined : value

  function take(wanted: string): boolean {
    if (tokens[at] !== wanted) return false
    at++
    return true
  }

  function expect(wanted: string): void {
    if (!take(wanted)) isBroken = true
  }

  function either(): ExpressionValue {
    if (++depth > deepest) isBroken = true
    if (isBroken) return undefined
    let left = both()
    while (take('||')) {
      const right = both()
      left = left === undefined ? (isKnownTrue(right) ? right : undefined) : isTrue(left) ? left : right
    }
    depth--
    return left
  }

  function both(): ExpressionValue {
    let left = compared()
    while (take('&&')) {
      const right = compared()
      left = left === undefined ? (isKnownFalse(right) ? right : undefined) : isTrue(left) ? right : left
    }
    return left
  }

  function compared(): ExpressionValue {
    let left = negated()
    for (;;) {
      const sign = ['==', '!=', '<=', '>=', '<', '>'].find(take)
      if (sign === undefined) return left
      left = compareValues(left, sign, negated())
    }
  }

  function negated(): ExpressionValue {
    let signs = 0
    while (take('!')) signs++
    const operand = member()
    if (signs === 0 || operand === undefined) return operand
    return isTrue(operand) === (signs % 2 === 0)
  }

  function member(): ExpressionValue {
    let found = primary()
    for (;;) {
      if (take('.')) {
        found = contextProperty(found, tokens[at++])
      } else if (take('[')) {
        found = contextProperty(found, either())
        expect(']')
      } else return found
    }
  }

  /** What is not in these is set by the run: steps add variables to `env`. */
  function contextProperty(object: ExpressionValue, name: ExpressionValue): ExpressionValue {
    const found = propertyOf(object, name)
    if (typeof found === 'string' && !isResolved(found)) return undefined
    const isOpen = [context.env, context.github, context.runner].includes(object as YamlValue)
    return found === null && isOpen ? undefined : found
  }

  function primary(): ExpressionValue {
    const next = tokens[at++]
    if (next === undefined) {
      isBroken = true
      return undefined
    }
    if (next === '(') {
      const inner = either()
      expect(')')
      return inner
    }
    if (next.startsWith("'")) return next.slice(1, -1).replaceAll("''", "'")
    // As it is written: 3.10 is a version.
    if (/^\d/.test(next)) return next
    if (next === 'true' || next === 'false') return next === 'true'
    if (next === 'null') return null
    if (!/^[A-Za-z_]/.test(next)) isBroken = true
    if (tokens[at] === '(') return callFunction(next, callArguments())
    return Object.hasOwn(context, next) ? context[next] : undefined
  }

  function callArguments(): ExpressionValue[] {
    const values: ExpressionValue[] = []
    expect('(')
    if (take(')')) return values
    do values.push(either())
    while (take(',') && !isBroken)
    expect(')')
    return values
  }
}

function isKnownTrue(value: ExpressionValue): boolean {
  return value !== undefined && isTrue(value)
}

function isKnownFalse(value: ExpressionValue): boolean {
  return value !== undefined && !isTrue(value)
}
