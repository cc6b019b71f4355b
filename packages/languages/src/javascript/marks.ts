import type { Token } from './clean-source.ts'

/** What a file is made of, by places in its cleaned text. */
export interface Marks {
  /** Index after the closing bracket of each opening one; the text's end where it stays open. */
  readonly closes: ReadonlyMap<number, number>
  /** Where words begin outside literals. */
  readonly words: readonly number[]
  /** Ends of literals by their beginning. */
  readonly literals: ReadonlyMap<number, number>
  /** The opening braces, in order. */
  readonly braces: readonly number[]
  /** Line ends and semicolons directly below each opening brace, those below none at `-1`. */
  readonly separators: ReadonlyMap<number, readonly number[]>
}

export function marksOf(text: string, tokens: readonly Token[]): Marks {
  const closes = new Map<number, number>()
  const literals = new Map<number, number>()
  const words: number[] = []
  const braces: number[] = []
  const separators = new Map<number, number[]>([[-1, []]])
  const open: number[] = []
  for (const { start, end, kind } of tokens) {
    const char = text[start]!
    if (kind === 'literal') literals.set(start, end)
    else if (kind === 'word') words.push(start)
    else if (char === '\n' || char === ';') separators.get(open.at(-1) ?? -1)?.push(start)
    else if ('([{'.includes(char)) {
      open.push(start)
      if (char !== '{') continue
      braces.push(start)
      separators.set(start, [])
    } else if (')]}'.includes(char) && open.length > 0) closes.set(open.pop()!, end)
  }
  for (const left of open) closes.set(left, text.length)
  return { closes, words, literals, braces, separators }
}
