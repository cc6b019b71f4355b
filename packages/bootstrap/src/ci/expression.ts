import { isMap, type YamlValue } from './yaml-value.ts'

/** Undefined = known only when the workflow runs. */
export type ExpressionValue = YamlValue | number | boolean | undefined

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
  const inner = /^\$\{\{((?:(?!\}\})[\s\S])*)\}\}$/.exec(source.trim())?.[1]
  const value = evaluateExpression(inner ?? source, context)
  return value === undefined ? undefined : isTrue(value)
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
      left = compare(left, sign, negated())
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
    const found = property(object, name)
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
    if (/^\d/.test(next)) return Number(next)
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

function property(object: ExpressionValue, name: ExpressionValue): ExpressionValue {
  if (object === undefined || name === undefined) return undefined
  if (Array.isArray(object)) return object[Number(name)] ?? null
  if (!isMap(object as YamlValue)) return null
  const map = object as Readonly<Record<string, YamlValue>>
  return Object.hasOwn(map, String(name)) ? map[String(name)] : null
}

function callFunction(name: string, values: readonly ExpressionValue[]): ExpressionValue {
  const constant = { always: true, success: true, failure: false, cancelled: false }[name.toLowerCase()]
  if (constant !== undefined && values.length === 0) return constant
  if (values.includes(undefined)) return undefined
  if (values.some((value) => typeof value === 'string' && value.length > longest)) return undefined
  const [first = '', second = ''] = values as (YamlValue | number | boolean)[]
  const [text, part] = [renderValue(first).toLowerCase(), renderValue(second).toLowerCase()]
  switch (name.toLowerCase()) {
    case 'format':
      return renderValue(first).replace(/\{(\d+)\}/g, (_, index) => renderValue(values[Number(index) + 1] ?? ''))
    case 'contains':
      return Array.isArray(first)
        ? first.some((entry) => renderValue(entry).toLowerCase() === part)
        : text.includes(part)
    case 'startswith':
      return text.startsWith(part)
    case 'endswith':
      return text.endsWith(part)
    case 'fromjson':
      return parseJson(renderValue(first))
    default:
      return undefined
  }
}

function parseJson(text: string): ExpressionValue {
  try {
    return JSON.parse(text, (_key, value) => (typeof value === 'number' ? String(value) : value))
  } catch {
    return undefined
  }
}

/** As it is put into a text. */
export function renderValue(value: Exclude<ExpressionValue, undefined>): string {
  if (value === null) return ''
  return typeof value === 'object' ? 'Object' : String(value)
}

function isKnownTrue(value: ExpressionValue): boolean {
  return value !== undefined && isTrue(value)
}

function isKnownFalse(value: ExpressionValue): boolean {
  return value !== undefined && !isTrue(value)
}

/** The source of a plain `false` is all that is left of it. */
function isTrue(value: Exclude<ExpressionValue, undefined>): boolean {
  return !['', 'false', '0'].includes(renderValue(value))
}

function compare(left: ExpressionValue, sign: string, right: ExpressionValue): ExpressionValue {
  if (left === undefined || right === undefined) return undefined
  const [a, b] = [renderValue(left).toLowerCase(), renderValue(right).toLowerCase()]
  const order = isNumeric(a) && isNumeric(b) ? Number(a) - Number(b) : a < b ? -1 : a > b ? 1 : 0
  if (sign === '==') return a === b || order === 0
  if (sign === '!=') return a !== b && order !== 0
  if (sign === '<') return order < 0
  if (sign === '>') return order > 0
  return sign === '<=' ? order <= 0 : order >= 0
}

function isNumeric(text: string): boolean {
  return /^-?\d+(?:\.\d+)?$/.test(text)
}
