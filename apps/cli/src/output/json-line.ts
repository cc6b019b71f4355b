// Readers that split on every Unicode line boundary, and terminals that obey C1 codes, get neither.
const unsafe = /[\u007f-\u009f\u2028\u2029]/g

/** One JSON value on exactly one line. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(
    unsafe,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
