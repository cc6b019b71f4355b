import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { R2eError } from '@r2e/spec'
import type { Identity } from './identity.ts'
import { startTime } from './owner.ts'
import { HOST_ENV } from './run-host.ts'
import type { ToolBox } from './tool-box.ts'

/** The process that keeps a sandbox alive, and removes its folder in the end even when we are killed. */
export interface Holder {
  /** Process 1 of the sandbox, as the host numbers it. */
  readonly pid: number
  readonly alive: boolean
  /** Settles once everything in the sandbox is dead and its folder is gone. */
  close(): Promise<void>
}

export interface HolderRequest {
  readonly stateDirectory: string
  /** Relative to the state directory. */
  readonly folder: string
  readonly identity: Identity
  readonly network: boolean
  /** Control groups to remove at the end. */
  readonly groups: readonly string[]
  readonly toolBox: ToolBox
}

const SCRIPT = fileURLToPath(new URL('../../src/local/hold.sh', import.meta.url))

export async function startHolder(request: HolderRequest): Promise<Holder> {
  const { identity, network, toolBox } = request
  const spaces = [...identity.mapFlags, '--mount', '--pid', '--ipc', '--uts', '--fork', '--kill-child']
  // A network made before the ids are mapped belongs to nobody, and its interface could not be set up: it comes second.
  if (!network) spaces.push(...(identity.mapFlags.length > 0 ? ['unshare'] : []), '--net')
  const child = spawn(
    '/bin/sh',
    [
      SCRIPT,
      request.folder,
      network ? 'host' : 'private',
      toolBox.command('umount').join(' '),
      [...toolBox.command('env'), '--ignore-signal=CHLD', ...toolBox.command('cat')].join(' '),
      spaces.join(' '),
      identity.mapFlags.join(' '),
      request.groups.join('\n'),
    ],
    // A session of its own: Ctrl-C at a terminal reaches us alone, and we close it in order.
    { cwd: request.stateDirectory, env: HOST_ENV, stdio: ['pipe', 'pipe', 'pipe'], detached: true },
  )
  const ended = once(child, 'exit').catch((error: unknown) => [error])
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  child.stdin.on('error', () => undefined)
  const pid = await Promise.race([firstNumber(child.stdout), ended.then(() => undefined)])
  if (pid === undefined || !(pid > 1)) {
    child.stdin.end()
    await ended
    throw new R2eError('sandbox_not_started', 'transient', `the local sandbox did not start: ${firstError(errors)}`)
  }
  const started = startTime(pid)
  child.once('exit', () => {
    // Killed from outside, it could not end what it holds.
    if (started !== undefined && startTime(pid) === started) process.kill(pid, 'SIGKILL')
  })
  child.unref()
  for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as unknown as { unref(): void }).unref()
  return {
    pid,
    get alive() {
      return child.exitCode === null && child.signalCode === null && startTime(pid) === started
    },
    async close() {
      child.ref()
      child.stdin.end()
      await ended
    },
  }
}

async function firstNumber(stream: NodeJS.ReadableStream): Promise<number | undefined> {
  stream.setEncoding('utf8')
  let text = ''
  for await (const chunk of stream) {
    text += chunk
    if (text.includes('\n')) return Number(text)
  }
  return undefined
}

/** mount(8) goes on after a failure; what follows is noise. */
function firstError(text: string): string {
  return text.trim().split('\n')[0] || 'no reason was given'
}
