import colors from 'picocolors'

type Tint = (line: string) => string

/** Colours the first word of a line by what it says; the text stays the same. */
export function createTint(enabled: boolean): Tint {
  const { green, red, yellow, dim } = colors.createColors(enabled)
  const tints: Readonly<Record<string, Tint>> = {
    emitted: green,
    valid: green,
    ok: green,
    failed: red,
    invalid: red,
    error: red,
    missing: red,
    'warning:': yellow,
    warning: yellow,
    skipped: dim,
    absent: dim,
    next: dim,
  }
  return (line) => line.replace(/^\S+/, (word) => (Object.hasOwn(tints, word) ? tints[word]!(word) : word))
}
