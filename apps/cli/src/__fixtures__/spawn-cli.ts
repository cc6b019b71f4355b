import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

export interface CliResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface CliOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
  /** Flags of Node. */
  readonly node?: readonly string[]
  /** Called with each piece of standard output. */
  readonly onOutput?: (text: string, child: ChildProcess) => void
}

export const main = fileURLToPath(new URL('../main.ts', import.meta.url))

/** Paths of pipelines that stand for some from outside. */
export const samplePipeline = fileURLToPath(new URL('./pipelines/sample.mjs', import.meta.url))
export const faultyPipeline = fileURLToPath(new URL('./pipelines/faulty.mjs', import.meta.url))

/** Runs the real program as its users do, from its sources. */
export function r2e(words: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  return new Promise((done, failed) => {
    const argv = ['--conditions=@r2e/source', ...(options.node ?? []), main, ...words]
    const child = spawn(process.execPath, argv, {
      cwd: options.cwd ?? tmpdir(),
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...options.env },
    })
    const out: Buffer[] = []
    const err: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => {
      out.push(chunk)
      options.onOutput?.(String(chunk), child)
    })
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
    child.on('error', failed)
    child.on('close', (code) => done({ code, stdout: String(Buffer.concat(out)), stderr: String(Buffer.concat(err)) }))
    child.stdin.on('error', () => {})
    child.stdin.end(options.input ?? '')
  })
}

/** A folder with these files, gone when the test ends. */
export async function folder(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'r2e-cli-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text)
  return path
}
