import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

/** How long the output of an ended command may stay silent before we leave those who still hold it alone. */
const QUIET_MS = 50

export interface CommandRequest {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly stdin?: Iterable<Uint8Array> | undefined
  readonly onStart?: ((pid: number) => void) | undefined
  readonly onStdout: (chunk: Uint8Array) => void
  readonly onStderr: (chunk: Uint8Array) => void
}

/**
 * Runs a command and answers its exit code, 128 + n for signal n. Settles when the command ends, whoever else holds its
 * output. Throws where it could not be started.
 */
export async function runCommand(request: CommandRequest): Promise<number> {
  const [program = '', ...rest] = request.argv
  // A session of its own, so that Ctrl-C at a terminal does not reach it past us.
  const child = spawn(program, rest, {
    env: request.env,
    stdio: [request.stdin ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    detached: true,
  })
  if (child.pid !== undefined) request.onStart?.(child.pid)
  let lastOutput = 0
  const closed = once(child, 'close').catch(() => undefined)
  for (const [stream, take] of [[child.stdout, request.onStdout] as const, [child.stderr, request.onStderr] as const])
    stream?.on('data', (chunk: Uint8Array) => {
      lastOutput = performance.now()
      take(chunk)
    })
  feed(child, request.stdin)
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
  lastOutput = performance.now()
  let open = true
  void closed.then(() => (open = false))
  while (open && performance.now() - lastOutput < QUIET_MS) await Promise.race([closed, sleep(QUIET_MS / 5)])
  child.stdout?.destroy()
  child.stderr?.destroy()
  return code ?? 128 + constants.signals[signal ?? 'SIGKILL']
}

function feed({ stdin }: ChildProcess, input: Iterable<Uint8Array> | undefined): void {
  if (!stdin || !input) return
  // A command that ends without reading its input breaks the pipe; its exit code tells what happened.
  stdin.on('error', () => undefined)
  Readable.from(input, { objectMode: true }).pipe(stdin)
}
