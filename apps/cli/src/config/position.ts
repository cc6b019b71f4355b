/** Both count from 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

export type KeyPath = readonly string[]

/** Answers where a key, or else its nearest parent, is written. */
export type PositionOf = (path: KeyPath) => Position | undefined

export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') }
}
