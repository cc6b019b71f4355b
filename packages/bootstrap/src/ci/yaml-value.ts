/**
 * YAML as CI files use it: every scalar is its source text, for `3.10` is a version and not the number 3.1. Maps have no
 * prototype.
 */
export type YamlValue = string | null | readonly YamlValue[] | YamlMap

export interface YamlMap {
  readonly [key: string]: YamlValue
}

export function isMap(value: YamlValue | undefined): value is YamlMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function mapOf(value: YamlValue | undefined): YamlMap {
  return isMap(value) ? value : Object.create(null)
}

/** A list, or what stands in place of a list of one. */
export function listOf(value: YamlValue | undefined): readonly YamlValue[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value as YamlValue]
}

export function textOf(value: YamlValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function textsOf(value: YamlValue | undefined): string[] {
  return listOf(value).filter((entry) => typeof entry === 'string')
}

/** The entries of a map whose values are texts. */
export function textEntries(value: YamlValue | undefined): Record<string, string> {
  const entries = Object.entries(mapOf(value)).filter(([, entry]) => typeof entry === 'string' || entry === null)
  return Object.assign(Object.create(null), Object.fromEntries(entries.map(([key, entry]) => [key, entry ?? ''])))
}
