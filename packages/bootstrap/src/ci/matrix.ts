import type { ExpressionContext } from './expression.ts'
import { resolveTemplate, resolveValue } from './resolve-template.ts'
import { isMap, listOf, mapOf, type YamlMap, type YamlValue } from './yaml-value.ts'

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
export function matrixRows(matrix: YamlValue | undefined, context: ExpressionContext): readonly MatrixRow[] {
  const { include, exclude, ...axes } = mapOf(resolved(matrix, context))
  const kept = product(mapOf(axes)).filter((row) => !listOf(exclude).some((out) => isMap(out) && contains(row, out)))
  const rows = kept.map((row) => ({ values: copyOf(row), extras: 0 }))
  const added: MatrixRow[] = []
  for (const entry of listOf(include).slice(0, mostRows)) {
    if (!isMap(entry)) continue
    const fitting = rows.filter((_, index) => agree(kept[index]!, entry))
    if (fitting.length === 0) added.push({ values: entry, extras: rows.length > 0 ? Object.keys(entry).length : 0 })
    for (const row of fitting) {
      row.extras = Math.max(row.extras, Object.keys(entry).filter((key) => !Object.hasOwn(axes, key)).length)
      Object.assign(row.values, entry)
    }
  }
  const all: readonly MatrixRow[] = [...rows, ...added].slice(0, mostRows)
  return all.length > 0 ? all : [{ values: Object.create(null), extras: 0 }]
}

/** A list or map may stand in one expression, as a whole or for an axis; texts are filled in. */
function resolved(value: YamlValue | undefined, context: ExpressionContext): YamlValue | undefined {
  if (typeof value !== 'string') return filled(value ?? null, context)
  const made = resolveValue(value, context)
  return typeof made === 'object' ? made : undefined
}

function filled(value: YamlValue, context: ExpressionContext): YamlValue {
  if (typeof value === 'string') {
    const made = resolveValue(value, context)
    return typeof made === 'object' ? made : resolveTemplate(value, context)
  }
  if (Array.isArray(value)) return value.map((entry) => filled(entry, context))
  const entries = Object.entries(mapOf(value)).map(([key, entry]) => [key, filled(entry, context)])
  return value === null ? null : Object.assign(Object.create(null), Object.fromEntries(entries))
}

function product(axes: YamlMap): YamlMap[] {
  let rows: YamlMap[] = [Object.create(null)]
  for (const [key, values] of Object.entries(axes)) {
    const longer: YamlMap[] = []
    for (const row of rows)
      for (const value of listOf(values)) if (longer.length < mostRows) longer.push(withKey(row, key, value))
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
  return JSON.stringify(a) === JSON.stringify(b)
}
