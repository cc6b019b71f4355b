import type { JsonValue } from '@r2e/spec'
import { mapTexts } from './map-texts.ts'

/** Shorter ones (`EMPTY`, `none`) are no secrets, and replacing them would damage texts. */
const SHORTEST = 8

/** Replaces values of secrets wherever they stand in a text. */
export function scrubText(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= SHORTEST)
    .reduce((clean, secret) => clean.replaceAll(secret, '[secret]'), text)
}

export function scrubJson<T>(value: T, secrets: readonly string[]): T {
  return mapTexts(value as JsonValue, (text) => scrubText(text, secrets)) as T
}
