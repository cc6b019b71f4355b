// Titles and messages come from repositories: an escape sequence in a commit subject must not reach the terminal.
const hostile = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

/** One line of text that is safe on a terminal. */
export function printable(text: string): string {
  return text.toWellFormed().replace(hostile, (character) => (/\s/.test(character) ? ' ' : '\ufffd'))
}

/** `printable`, cut to `width` characters. */
export function clip(text: string, width: number): string {
  const line = printable(text)
  return line.length <= width ? line : `${line.slice(0, Math.max(0, width - 1)).toWellFormed()}…`
}
