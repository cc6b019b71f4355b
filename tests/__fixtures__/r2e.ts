import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { RunEvent } from '../../packages/spec/src/index.ts'

export interface R2eResult {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
  /** What `--json` printed. */
  readonly events: readonly RunEvent[]
}

export interface R2eOptions {
  readonly cwd: string
  /** Called with each event of `--json` while the program runs. */
  readonly onEvent?: (event: RunEvent, child: ChildProcess) => void
  readonly onStart?: (child: ChildProcess) => void
  readonly env?: Readonly<Record<string, string>>
}

const main = fileURLToPath(new URL('../../apps/cli/src/main.ts', import.meta.url))

/** Runs the command line from its sources; its temporary files lie in `cwd/tmp`, where leftovers show. */
export async function r2e(words: readonly string[], { cwd, onEvent, onStart, env }: R2eOptions): Promise<R2eResult> {
  const temporary = join(cwd, 'tmp')
  await mkdir(temporary, { recursive: true })
  const child = spawn(process.execPath, ['--conditions=@r2e/source', main, ...words], {
    cwd,
    env: { ...process.env, TMPDIR: temporary, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onStart?.(child)
  const lines: string[] = []
  const events: RunEvent[] = []
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line)
    if (!line.startsWith('{"type"')) return
    const event = JSON.parse(line) as RunEvent
    events.push(event)
    onEvent?.(event, child)
  })
  let stderr = ''
  child.stderr.on('data', (chunk) => (stderr += chunk))
  return new Promise((done, failed) => {
    child.on('error', failed)
    child.on('close', (code, signal) => done({ code, signal, stdout: lines.join('\n'), stderr, events }))
  })
}
