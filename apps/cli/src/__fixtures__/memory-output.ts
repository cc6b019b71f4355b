import type { Output } from '../output/output.ts'

/** An output that keeps what was written, each line with its stream. */
export function memoryOutput(flags: Partial<Pick<Output, 'json' | 'quiet' | 'verbose'>> = {}): Output & { text(): string } {
  const lines: string[] = []
  const out = (text: string): void => void lines.push(`out| ${text}`)
  const err = (text: string): void => void lines.push(`err| ${text}`)
  const say = flags.json ? err : out
  return {
    json: false,
    quiet: false,
    verbose: false,
    tint: (line) => line,
    live: false,
    columns: 100,
    ...flags,
    result: out,
    say,
    progress: flags.quiet ? () => {} : say,
    warn: err,
    text: () => lines.join('\n').replaceAll(/ +$/gm, ''),
  }
}
