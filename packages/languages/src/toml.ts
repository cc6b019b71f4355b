import { parse } from 'smol-toml'

export type TomlTable = Readonly<Record<string, unknown>>

/** The table of a TOML text; undefined where it is not TOML: a broken manifest is no reason to stop. */
export function parseToml(text: string): TomlTable | undefined {
  try {
    return parse(text, { integersAsBigInt: 'asNeeded' })
  } catch {
    return undefined
  }
}

/** The table at a path of keys; an empty one where something else stands there. */
export function tableAt(root: unknown, ...keys: readonly string[]): TomlTable {
  const value = valueAt(root, ...keys)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as TomlTable) : {}
}

export function valueAt(root: unknown, ...keys: readonly string[]): unknown {
  let value = root
  for (const key of keys) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as TomlTable)[key]
  }
  return value
}

export function stringsAt(root: unknown, ...keys: readonly string[]): readonly string[] {
  const value = valueAt(root, ...keys)
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

export function stringAt(root: unknown, ...keys: readonly string[]): string | undefined {
  const value = valueAt(root, ...keys)
  return typeof value === 'string' ? value : undefined
}

export function tablesAt(root: unknown, ...keys: readonly string[]): readonly TomlTable[] {
  const value = valueAt(root, ...keys)
  return Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : []
}
