import * as v from 'valibot'

const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/

/** Fields of a pipeline's options: each has a description and a default, as `pipelines describe` prints them. */
export function countOption(description: string, fallback: number, least = 0) {
  return v.optional(v.pipe(v.number(), v.integer(), v.minValue(least), v.description(description)), fallback)
}

/** A whole number, or null for none. */
export function limitOption(description: string, least = 0) {
  return v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(least), v.description(description))), null)
}

export function flagOption(description: string, fallback: boolean) {
  return v.optional(v.pipe(v.boolean(), v.description(description)), fallback)
}

export function listOption(description: string, fallback: readonly string[] = []) {
  return v.optional(v.pipe(v.array(v.string()), v.description(description)), [...fallback])
}

/** A date or a time of ISO 8601, or null. */
export function dateOption(description: string) {
  const date = v.pipe(v.string(), v.regex(DATE, 'must be a date such as 2024-05-31'), v.description(description))
  return v.optional(v.nullable(date), null)
}

/** A bare date as the first (or last) second of that day in UTC; a time as it is; null as undefined. */
export function momentOf(date: string | null, edge: 'start' | 'end'): string | undefined {
  if (date === null) return undefined
  return date.length > 10 ? date : `${date}T${edge === 'start' ? '00:00:00' : '23:59:59'}Z`
}
