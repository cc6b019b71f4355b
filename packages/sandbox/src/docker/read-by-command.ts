import { pathToBytes, R2eError } from '@r2e/spec'
import type { Container } from './container.ts'
import { execute } from './exec.ts'

const NOT_A_FILE = 3
const TIME_LIMIT_MS = 60_000

/** The final dot keeps a newline at the end of the path. */
const SCRIPT = `path=$(printf '%b.' "$1")
path=\${path%.}
if [ -f "$path" ] && [ ! -L "$path" ]; then exec cat <"$path"; fi
exit ${NOT_A_FILE}`

/** Reads a file whose path is not UTF-8. */
export async function readByCommand(
  container: Container,
  path: string,
  limit: number,
): Promise<Uint8Array | undefined> {
  const escaped = [...pathToBytes(path)].map((byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join('')
  const { outcome, exitCode, stdout, truncated } = await execute(container, {
    argv: ['/bin/sh', '-c', SCRIPT, 'sh', escaped],
    user: '0:0',
    cwd: '/',
    timeoutMs: TIME_LIMIT_MS,
    outputLimit: limit,
  })
  if (outcome === 'exited' && exitCode === NOT_A_FILE) return undefined
  const name = JSON.stringify(path)
  if (truncated) throw new R2eError('file_too_large', 'bug', `${name} holds more than ${limit} bytes`)
  if (outcome !== 'exited' || exitCode !== 0) throw new R2eError('read_failed', 'transient', `could not read ${name}`)
  return stdout
}
