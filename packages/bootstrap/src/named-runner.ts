import type { LanguagePack, Runner } from '@r2e/spec'

/** The runner that a word of a test command names: `python -m unittest` is not read by pytest's report. */
export function namedRunner(pack: LanguagePack | undefined, command: readonly string[]): Runner | undefined {
  const words = command.flatMap((word) => word.split(/\s+/)).map((word) => word.slice(word.lastIndexOf('/') + 1))
  return pack?.runners.find((runner) => [runner.name, ...(runner.words ?? [])].some((word) => words.includes(word)))
}
