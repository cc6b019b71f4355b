/** A title as it may be shown: one line without control characters (no terminal escape survives), cut to `limit`. */
export function oneLine(text: string, limit = 200): string {
  return text
    .slice(0, limit * 4)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, limit)
    .toWellFormed()
}
