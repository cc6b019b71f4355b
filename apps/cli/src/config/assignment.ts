import type { GenericSchema } from 'valibot'
import { isMapping, type Layer, pathText, type Values } from './layer.ts'
import type { Origin } from './origin.ts'
import type { KeyPath } from './position.ts'
import { type Slot, slotAt } from './shape.ts'

/** One value given as text, by a flag or by a variable. */
export interface Assignment {
  readonly path: KeyPath
  readonly text: string | readonly string[]
  readonly origin: Origin
}

/** The layer of these assignments; texts become values as the schema wants them. */
export function assignmentLayer(assignments: readonly Assignment[], schema: GenericSchema): Layer {
  const origins = new Map(assignments.map(({ path, origin }) => [pathText(path), origin]))
  const values = assignments.reduce<Values>(
    (all, { path, text }) => withValue(all, path, coerce(text, slotAt(schema, path))),
    {},
  )
  return { values, originOf: (path) => origins.get(pathText(path)) ?? firstBelow(origins, path) }
}

function firstBelow(origins: ReadonlyMap<string, Origin>, path: KeyPath): Origin {
  const prefix = `${pathText(path)}.`
  for (const [key, origin] of origins) if (key.startsWith(prefix)) return origin
  return { kind: 'default' }
}

function withValue(values: Values, path: KeyPath, value: unknown): Values {
  const [key = '', ...rest] = path
  const inner = Object.hasOwn(values, key) ? values[key] : undefined
  const next = rest.length === 0 ? value : withValue(isMapping(inner) ? inner : {}, rest, value)
  return Object.fromEntries([...Object.entries(values).filter(([name]) => name !== key), [key, next]])
}

/**
 * A text that does not fit stays a text, so that the validation can name it. Without a known type:
 * true and false in any case are booleans, else JSON, else the text.
 */
export function coerce(text: string | readonly string[], { kind, nullable }: Slot): unknown {
  if (typeof text !== 'string') return text
  if (kind === 'string' || kind === 'picklist') return text === 'null' && nullable ? null : text
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  const value = parsed(text)
  return kind === 'array' && typeof value === 'string' ? [value] : value
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
