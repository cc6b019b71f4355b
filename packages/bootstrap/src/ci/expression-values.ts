import { compareVersions, releaseNumbers } from './version-order.ts'
import { isMap, type YamlValue } from './yaml.ts'

/** Undefined = known only when the workflow runs. */
export type ExpressionValue = YamlValue | number | boolean | undefined

const longestText = 2000
const longestList = 100

const constants: ReadonlyMap<string, boolean> = new Map([
  ['always', true],
  ['success', true],
  ['failure', false],
  ['cancelled', false],
])

export function propertyOf(object: ExpressionValue, name: ExpressionValue): ExpressionValue {
  if (object === undefined || name === undefined) return undefined
  if (Array.isArray(object)) return object[Number(name)] ?? null
  if (!isMap(object as YamlValue)) return null
  const map = object as Readonly<Record<string, YamlValue>>
  return Object.hasOwn(map, String(name)) ? map[String(name)] : null
}

export function callFunction(name: string, values: readonly ExpressionValue[]): ExpressionValue {
  const constant = constants.get(name.toLowerCase())
  if (constant !== undefined && values.length === 0) return constant
  if (values.some((value) => value === undefined || isTooLong(value))) return undefined
  const [first = '', second = ''] = values as (YamlValue | number | boolean)[]
  const [text, part] = [renderValue(first).toLowerCase(), renderValue(second).toLowerCase()]
  switch (name.toLowerCase()) {
    case 'format':
      return format(renderValue(first), values.slice(1))
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

function isTooLong(value: ExpressionValue): boolean {
  return (
    (typeof value === 'string' && value.length > longestText) || (Array.isArray(value) && value.length > longestList)
  )
}

/** Values that are made of values grow by doubling. */
function format(text: string, values: readonly ExpressionValue[]): string | undefined {
  let made = ''
  let at = 0
  for (const { 0: whole, 1: place, index } of text.matchAll(/\{(\d{1,3})\}/g)) {
    made += text.slice(at, index) + renderValue(values[Number(place)] ?? '')
    at = index + whole.length
    if (made.length > longestText) return undefined
  }
  return made + text.slice(at)
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

/** The source of a plain `false` is all that is left of it. */
export function isTrue(value: Exclude<ExpressionValue, undefined>): boolean {
  return !['', 'false', '0'].includes(renderValue(value))
}

/** Numbers are compared part by part, as versions: 3.9 is less than 3.10, and 3.1 is not 3.10. */
export function compareValues(left: ExpressionValue, sign: string, right: ExpressionValue): ExpressionValue {
  if (left === undefined || right === undefined) return undefined
  const [a, b] = [renderValue(left).toLowerCase(), renderValue(right).toLowerCase()]
  const order = isNumeric(a) && isNumeric(b) ? compareVersions(a, b) : a < b ? -1 : a > b ? 1 : 0
  if (sign === '==') return order === 0
  if (sign === '!=') return order !== 0
  if (sign === '<') return order < 0
  if (sign === '>') return order > 0
  return sign === '<=' ? order <= 0 : order >= 0
}

function isNumeric(text: string): boolean {
  return releaseNumbers(text) !== undefined && /^[\d.]+$/.test(text)
}
