import process from 'node:process'
import type { R2eError } from '@r2e/spec'
import type { Output } from './output/output.ts'
import { type Parsed, parseArguments } from './parse-arguments.ts'
import { readVersion } from './version.ts'

/**
 * Runs one command line; the exit code is set, never forced, so that output is flushed and resources are freed. What only
 * a command needs is imported when one runs: help loads the parser and its tables alone.
 */
export async function runCommand(words: readonly string[]): Promise<void> {
  const version = readVersion()
  const parsed = parseArguments(words, { version, columns: process.stdout.columns || 100 })
  if (parsed.kind === 'print') print(parsed.text)
  else process.exitCode = await runParsed(parsed, words, version)
}

function print(text: string): void {
  process.stdout.on('error', () => {
    process.exitCode = 1
  })
  process.stdout.write(text)
}

async function runParsed(
  parsed: Exclude<Parsed, { kind: 'print' }>,
  words: readonly string[],
  version: string,
): Promise<number> {
  const output = await outputFor(parsed, words)
  const { watchSignals } = await import('./signals.ts')
  const signals = watchSignals()
  try {
    if (parsed.kind === 'usage') {
      const { userError } = await import('@r2e/spec')
      throw userError(parsed.code, parsed.message, { fix: parsed.fix })
    }
    const { homedir } = await import('node:os')
    const { readEnvironment } = await import('./config/dotenv.ts')
    const directory = process.cwd()
    const { values, file } = await readEnvironment(directory, process.env)
    const { run } = await parsed.spec.load()
    const code = await run(parsed.request, {
      directory,
      home: homedir(),
      environment: values,
      environmentFile: file,
      output,
      version,
      now: () => new Date(),
      signal: signals.signal,
    })
    // a failed write is told of after the tick that it happens in
    await new Promise(setImmediate)
    if (!isLost(signals.broken())) return code
    throw signals.broken()
  } catch (error) {
    const { asR2eError, writeError } = await import('./write-error.ts')
    const { EXIT, exitOfError } = await import('./exit-code.ts')
    if (signals.signal.aborted) {
      writeError(await interruption(signals.broken()), { ...output, verbose: false })
      return EXIT.interrupted
    }
    const shown = asR2eError(error)
    writeError(shown, output)
    return exitOfError(shown)
  } finally {
    signals.dispose()
  }
}

/** Output was asked for and is not whole; a reader that went away had enough of it. */
function isLost(broken: NodeJS.ErrnoException | undefined): boolean {
  return broken !== undefined && broken.code !== 'EPIPE'
}

async function interruption(broken: NodeJS.ErrnoException | undefined): Promise<R2eError> {
  const { R2eError } = await import('@r2e/spec')
  const lost = isLost(broken) ? `the output cannot be written (${broken?.code})` : 'its reader went away'
  const why = broken ? lost : 'stopped by a signal'
  const fix = 'a run of generate goes on with the same command and --resume'
  return new R2eError('interrupted', 'transient', `${why}, everything cleaned up`, { fix })
}

/** A command line that could not be parsed is still answered in the form it asks for. */
async function outputFor(parsed: Exclude<Parsed, { kind: 'print' }>, words: readonly string[]): Promise<Output> {
  const { createOutput } = await import('./output/output.ts')
  const typed = (name: string): boolean =>
    parsed.kind === 'run' ? parsed.request.flags.has(name) : words.includes(`--${name}`)
  return createOutput(process, {
    json: typed('json'),
    quiet: typed('quiet'),
    verbose: typed('verbose'),
    ui: !typed('no-ui') && process.env.CI === undefined && process.env.TERM !== 'dumb',
    color: !typed('no-color') && process.env.NO_COLOR === undefined,
  })
}
