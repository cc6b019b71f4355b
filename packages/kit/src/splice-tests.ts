import type { TestPiece } from '@r2e/spec'

/** Finds the test code of a text: `inlineTests` of a language, for one path. */
export type FindPieces = (text: string) => readonly TestPiece[]

/** The test code of a text alone, blank lines between its pieces. */
export function testCodeOf(text: string, find: FindPieces): string {
  const parts = find(text).map(({ start, end }) => text.slice(start, end))
  return parts.length === 0 ? '' : `${parts.join('\n\n')}\n`
}

/**
 * A text with other test code in place of its own: a piece replaces the one of the same name, one without a counterpart
 * is added at the end, what is left of the text's own is dropped. `grade.py` does the same, and cuts open ends that only
 * an agent leaves. With a text's own test code the text stays as it is.
 */
export function spliceTests(text: string, tests: string, find: FindPieces): string {
  const wanted = numbered(tests, find)
  let out = ''
  let at = 0
  let dropped = false
  for (const [key, { start, end }] of numbered(text, find)) {
    const between = text.slice(at, start)
    at = end
    const piece = wanted.get(key)
    wanted.delete(key)
    // The line of a dropped piece goes with it, and the blank one above.
    const blank = !piece && (between.endsWith('\n\n') || (dropped && between === '\n'))
    out += blank ? between.slice(0, -1) : between
    dropped = piece === undefined
    if (piece) out += tests.slice(piece.start, piece.end)
    else at += /^[ \t]*(?:\r?\n)?/.exec(text.slice(end, end + 80))![0].length
  }
  out += text.slice(at)
  const added = [...wanted.values()].map(({ start, end }) => tests.slice(start, end))
  if (added.length === 0) return out
  const before = out.replace(/[ \t\r\n]+$/, '')
  return `${before === '' ? '' : `${before}\n\n`}${added.join('\n\n')}\n`
}

function numbered(text: string, find: FindPieces): Map<string, TestPiece> {
  const seen = new Map<string, number>()
  return new Map(
    find(text).map((piece) => {
      const number = (seen.get(piece.key) ?? 0) + 1
      seen.set(piece.key, number)
      return [`${piece.key} #${number}`, piece]
    }),
  )
}
