import { type Budget, spend } from './budget.ts'
import { type ExpressionContext, resolveTemplate, resolveValue } from './expression.ts'
import { isMap, listOf, mapOf, type YamlMap, type YamlValue } from './yaml.ts'

/** GitHub's own limit for the jobs of a matrix. */
const mostRows = 256

export interface MatrixRow {
  readonly values: YamlMap
  /** How many values an `include` added to those of the axes: the fewer, the plainer. */
  readonly extras: number
}

/**
 * The rows of `strategy.matrix` as GitHub makes them: the product of the axes, without those that match an `exclude`, each
 * `include` merged into the rows whose values it does not change, else a row of its own.
 */
export function matrixRows(
  matrix: YamlValue | undefined,
  context: ExpressionContext,
  budget: Budget,
): readonly MatrixRow[] {
  const { include, exclude, ...axes } = mapOf(resolved(matrix, context, budget))
  const all = product(mapOf(axes), budget)
  const out = entriesOf(exclude, all.length, budget)
  const kept = all.filter((row) => !out.some((entry) => contains(row, entry)))
  const rows = kept.map((row) => ({ values: copyOf(row), extras: 0 }))
  const added: MatrixRow[] = []
  for (const entry of entriesOf(include, rows.length, budget)) {
    const fitting = rows.filter((_, index) => agree(kept[index]!, entry))
    if (fitting.length === 0) added.push({ values: entry, extras: rows.length > 0 ? Object.keys(entry).length : 0 })
    for (const row of fitting) {
      row.extras = Math.max(row.extras, Object.keys(entry).filter((key) => !Object.hasOwn(axes, key)).length)
      Object.assign(row.values, entry)
    }
  }
  const found: readonly MatrixRow[] = [...rows, ...added].slice(0, mostRows)
  return found.length > 0 ? found : [{ values: Object.create(null), extras: 0 }]
}

/** Each key of each is compared with each row, and may be copied to it. */
function entriesOf(list: YamlValue | undefined, rows: number, budget: Budget): YamlMap[] {
  const entries = listOf(list).filter(isMap).slice(0, mostRows)
  for (const entry of entries) spend(budget, { bytes: (rows + 1) * (Object.keys(entry).length + 1) })
  return entries
}

/** A list or map may stand in one expression, as a whole or for an axis; texts are filled in. */
function resolved(value: YamlValue | undefined, context: ExpressionContext, budget: Budget): YamlValue | undefined {
  if (typeof value !== 'string') return filled(value ?? null, context, budget)
  const made = resolveValue(value, context, budget)
  return typeof made === 'object' ? made : undefined
}

function filled(value: YamlValue, context: ExpressionContext, budget: Budget): YamlValue {
  spend(budget, { bytes: 16 })
  if (typeof value === 'string') {
    const made = value.includes('${{') ? resolveValue(value, context, budget) : value
    return typeof made === 'object' ? made : resolveTemplate(value, context, budget)
  }
  if (Array.isArray(value)) return value.map((entry) => filled(entry, context, budget))
  const entries = Object.entries(mapOf(value)).map(([key, entry]) => [key, filled(entry, context, budget)])
  return value === null ? null : Object.assign(Object.create(null), Object.fromEntries(entries))
}

function product(axes: YamlMap, budget: Budget): YamlMap[] {
  let rows: YamlMap[] = [Object.create(null)]
  for (const [index, [key, values]] of Object.entries(axes).entries()) {
    const longer: YamlMap[] = []
    for (const row of rows)
      for (const value of listOf(values).slice(0, mostRows - longer.length)) longer.push(withKey(row, key, value))
    spend(budget, { bytes: 16 * longer.length * (index + 1) })
    rows = longer
  }
  return Object.keys(axes).length > 0 ? rows : []
}

function withKey(row: YamlMap, key: string, value: YamlValue): YamlMap {
  return Object.assign(Object.create(null), row, { [key]: value })
}

function copyOf(row: YamlMap): Record<string, YamlValue> {
  return Object.assign(Object.create(null), row)
}

function contains(row: YamlMap, wanted: YamlMap): boolean {
  return Object.entries(wanted).every(([key, value]) => Object.hasOwn(row, key) && isSame(row[key], value))
}

/** Whether nothing of the row would change. */
function agree(row: YamlMap, entry: YamlMap): boolean {
  return Object.entries(entry).every(([key, value]) => !Object.hasOwn(row, key) || isSame(row[key], value))
}

function isSame(a: YamlValue | undefined, b: YamlValue | undefined): boolean {
  if (a === b || typeof a === 'string' || typeof b === 'string') return a === b
  return textOfValue(a) === textOfValue(b)
}

/** Rows share the values of their axes. */
const textsOfValues = new WeakMap<object, string>()

function textOfValue(value: YamlValue | undefined): string {
  if (typeof value !== 'object' || value === null) return 'null'
  const text = textsOfValues.get(value) ?? JSON.stringify(value)
  textsOfValues.set(value, text)
  return text
}
