import type { Origin } from './origin.ts'
import type { KeyPath } from './position.ts'

export type Values = Readonly<Record<string, unknown>>

/** One source of configuration values. */
export interface Layer {
  readonly values: Values
  originOf(path: KeyPath): Origin
}

export interface Merged {
  readonly values: Values
  /** By {@link pathText}. */
  readonly origins: ReadonlyMap<string, Origin>
}

export function pathText(path: KeyPath): string {
  return path.join('.')
}

export function isMapping(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Later layers win, key by key; null and undefined never override; a list is replaced whole. */
export function mergeLayers(layers: readonly Layer[]): Merged {
  const origins = new Map<string, Origin>()
  const values = layers.reduce<Values>(
    (base, layer) => mergeMapping(base, layer.values, { path: [], layer, origins }),
    {},
  )
  return { values, origins }
}

interface Place {
  readonly path: KeyPath
  readonly layer: Layer
  readonly origins: Map<string, Origin>
}

function mergeMapping(base: Values, over: Values, place: Place): Values {
  // fromEntries defines own keys, so a key named __proto__ is a key like any other
  const merged = new Map(Object.entries(base))
  for (const [key, value] of Object.entries(over)) {
    if (value === null || value === undefined) continue
    const path = [...place.path, key]
    const standing = merged.get(key)
    place.origins.set(pathText(path), place.layer.originOf(path))
    if (isMapping(value)) merged.set(key, mergeMapping(isMapping(standing) ? standing : {}, value, { ...place, path }))
    else merged.set(key, value)
  }
  return Object.fromEntries(merged)
}
