import { appendFile } from 'node:fs/promises'
import type { JsonObject, JsonValue } from '@r2e/spec'
import type { Scrub } from './scrub-secrets.ts'

export type Transcript = (line: JsonObject) => Promise<void>

/** Appends lines of JSON, each on disk before the next thing happens. */
export function openTranscript(path: string, scrub: Scrub): Transcript {
  return (line) => appendFile(path, `${JSON.stringify(scrubAll(line, scrub))}\n`, { flush: true })
}

function scrubAll(value: JsonValue, scrub: Scrub): JsonValue {
  if (typeof value === 'string') return scrub(value)
  if (Array.isArray(value)) return value.map((item) => scrubAll(item, scrub))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value as JsonObject).filter(([, item]) => item !== undefined)
  return Object.fromEntries(entries.map(([key, item]) => [key, scrubAll(item!, scrub)]))
}
