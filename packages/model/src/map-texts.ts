import type { JsonObject, JsonValue } from '@r2e/spec'

/** The value with every text in it replaced, keys of objects included. */
export function mapTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value as JsonObject).filter(([, item]) => item !== undefined)
  return Object.fromEntries(entries.map(([key, item]) => [change(key), mapTexts(item!, change)]))
}
