import type { GenericSchema } from 'valibot'
import { nearest } from '../nearest.ts'
import { isMapping, type Layer, pathText } from './layer.ts'
import { originText } from './origin.ts'
import type { KeyPath } from './position.ts'
import type { Problem } from './problem.ts'
import { bare, entriesOf } from './shape.ts'

/**
 * Every unknown key of one layer, and every section that is no mapping. Runs per layer, because a null never reaches
 * the merged values and a mapping of a higher layer would hide what stands below it.
 */
export function checkKeys(layer: Layer, schema: GenericSchema, path: KeyPath = []): readonly Problem[] {
  const value = valueAt(layer.values, path)
  const entries = entriesOf(schema)
  if (value === null || value === undefined) return []
  const mapping = entries !== undefined || bare(schema).type === 'record'
  const where = path.length === 0 ? undefined : originText(layer.originOf(path))
  if (mapping && !isMapping(value)) {
    return [{ code: 'wrong_type', where, message: `${pathText(path)} must be a mapping, not ${JSON.stringify(value)}` }]
  }
  if (!entries) return []
  return Object.keys(value as object).flatMap((key) => {
    const inner = [...path, key]
    if (Object.hasOwn(entries, key)) return checkKeys(layer, entries[key]!, inner)
    return [unknownKey(inner, Object.keys(entries), originText(layer.originOf(inner)))]
  })
}

function valueAt(values: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>((value, key) => (isMapping(value) ? value[key] : undefined), values)
}

function unknownKey(path: KeyPath, known: readonly string[], where: string): Problem {
  const key = path.at(-1) ?? ''
  const section = path.length > 1 ? ` in ${pathText(path.slice(0, -1))}` : ''
  const guess = nearest(key, known)
  return {
    code: path[0] === 'pipeline' && path[1] === 'options' ? 'unknown_option' : 'unknown_key',
    where,
    message: `there is no key "${key}"${section}`,
    fix: guess ? `did you mean ${guess}?` : `known here: ${known.join(', ')}`,
  }
}
