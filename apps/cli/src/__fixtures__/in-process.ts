import { tmpdir } from 'node:os'
import { readEnvironment } from '../config/dotenv.ts'
import { parseArguments } from '../parse-arguments.ts'
import { memoryOutput } from './memory-output.ts'

export interface InProcessOptions {
  readonly cwd?: string
  readonly home?: string
  readonly env?: Readonly<Record<string, string>>
  readonly now?: Date
}

/** A command as `main` runs it, without the price of a process; errors are thrown. */
export async function inProcess(
  words: readonly string[],
  options: InProcessOptions = {},
): Promise<{ code: number; stdout: string }> {
  const parsed = parseArguments(words, { version: '0.0.0', columns: 100 })
  if (parsed.kind !== 'run') throw new Error(JSON.stringify(parsed))
  const directory = options.cwd ?? tmpdir()
  const { values, file } = await readEnvironment(directory, options.env ?? {})
  const output = memoryOutput({ json: parsed.request.flags.has('json') })
  const { run } = await parsed.spec.load()
  const code = await run(parsed.request, {
    directory,
    home: options.home ?? tmpdir(),
    environment: values,
    environmentFile: file,
    output,
    version: '0.0.0',
    now: () => options.now ?? new Date(0),
    signal: new AbortController().signal,
  })
  return { code, stdout: output.text().replaceAll(/^out\| ?/gm, '') }
}
