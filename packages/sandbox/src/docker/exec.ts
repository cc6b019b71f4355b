import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ExecRequest, ExecResult } from '@r2e/spec'
import { createOutputWindow, type OutputWindow } from '../output-window.ts'
import type { Container } from './container.ts'
import { causeOfEnd, lost } from './container-end.ts'
import { statusOf } from './engine.ts'
import { createFrames } from './frames.ts'

const DEFAULT_OUTPUT_LIMIT = 2 ** 20
const KILLED = 137
const ANSWER_LIMIT_MS = 3_000
const KILL_ROUNDS = 5

/**
 * Runs one command. A time-out ends everything in the container but its holder, so nothing outlives it; other commands
 * of the same sandbox then end as timed out too.
 */
export async function execute(container: Container, request: ExecRequest): Promise<ExecResult> {
  request.signal?.throwIfAborted()
  if (!container.holder.alive) throw lost(container, 'is gone')
  const started = performance.now()
  const run = { killed: false }
  container.runs.add(run)
  try {
    const killsBefore = container.memoryKills
    const command = await start(container, request)
    const end = await awaitEnd(command, request)
    if (end.kind !== 'ended') await killAll(container, command)
    else if (container.ended && !run.killed) throw lost(container, 'was closed while a command ran')
    request.signal?.throwIfAborted()
    const oom = await killedForMemory(container, killsBefore)
    const outcome = oom ? 'oom' : end.kind !== 'ended' || run.killed ? 'timed_out' : 'exited'
    return {
      outcome,
      exitCode: outcome === 'exited' && end.kind === 'ended' ? end.exitCode : KILLED,
      stdout: command.stdout.bytes(),
      stderr: command.stderr.bytes(),
      truncated: command.stdout.truncated || command.stderr.truncated,
      durationMs: Math.round(performance.now() - started),
    }
  } finally {
    container.runs.delete(run)
  }
}

interface Command {
  readonly stdout: OutputWindow
  readonly stderr: OutputWindow
  readonly stream: Duplex
  readonly closed: Promise<void>
  /** The exit code, or undefined while it runs. */
  exitCode(): Promise<number | undefined>
}

async function start({ engine, id, user }: Container, request: ExecRequest): Promise<Command> {
  const exec = await engine.call('start a command', (docker) =>
    docker.getContainer(id).exec({
      Cmd: [...request.argv],
      AttachStdout: true,
      AttachStderr: true,
      AttachStdin: request.stdin !== undefined,
      User: request.user ?? user,
      ...(request.cwd !== undefined && { WorkingDir: request.cwd }),
      ...(request.env && { Env: Object.entries(request.env).map(([name, value]) => `${name}=${value}`) }),
    }),
  )
  const stream = await engine.call('start a command', () =>
    exec.start({ hijack: true, stdin: request.stdin !== undefined }),
  )
  const limit = request.outputLimit ?? DEFAULT_OUTPUT_LIMIT
  const stdout = createOutputWindow(limit)
  const stderr = createOutputWindow(limit)
  const closed = new Promise<void>((resolve) => stream.on('close', resolve))
  // A command that ends without reading its input breaks the pipe; its exit code tells what happened.
  stream.on('error', () => stream.destroy())
  stream.on('end', () => stream.destroy())
  stream.on(
    'data',
    createFrames((kind, bytes) => (kind === 'stdout' ? stdout : stderr).push(bytes)),
  )
  if (request.stdin) stream.end(request.stdin)
  return {
    stdout,
    stderr,
    stream,
    closed,
    async exitCode() {
      const { Running, ExitCode } = await engine.call('look at a command', () => exec.inspect())
      return Running ? undefined : (ExitCode ?? KILLED)
    },
  }
}

type End = { readonly kind: 'ended'; readonly exitCode: number } | { readonly kind: 'timed_out' | 'aborted' }

async function awaitEnd(command: Command, request: ExecRequest): Promise<End> {
  const settled = new AbortController()
  const options = { signal: settled.signal }
  const aborted = new Promise<End>((resolve) =>
    request.signal?.addEventListener('abort', () => resolve({ kind: 'aborted' }), options),
  )
  try {
    const late = sleep(request.timeoutMs, { kind: 'timed_out' } as const, options)
    return await Promise.race([ended(command, settled.signal), late, aborted])
  } finally {
    settled.abort()
  }
}

/** The output closes a moment after the command ends, or long before where the command closed it itself. */
async function ended(command: Command, signal: AbortSignal): Promise<End> {
  await command.closed
  for (let pause = 5; ; pause = Math.min(pause * 2, 500)) {
    const exitCode = await exitCodeOf(command)
    if (exitCode !== undefined) return { kind: 'ended', exitCode }
    await sleep(pause, undefined, { signal })
  }
}

/** A container that ended took the record of its commands along. */
async function exitCodeOf(command: Command): Promise<number | undefined> {
  try {
    return await command.exitCode()
  } catch (error) {
    if (statusOf(error) === 404) return KILLED
    throw error
  }
}

/** Several rounds: a command that is just being started is not there yet to be killed. */
async function killAll(container: Container, command: Command): Promise<void> {
  for (const run of container.runs) run.killed = true
  for (let round = 1; round <= KILL_ROUNDS; round++) {
    if ((await container.holder.ask('kill', ANSWER_LIMIT_MS)) === undefined) break
    if (await settles(command.closed, 200 * round)) return
  }
  await container.end()
  await settles(command.closed, ANSWER_LIMIT_MS)
  command.stream.destroy()
}

async function settles(promise: Promise<void>, limitMs: number): Promise<boolean> {
  const settled = new AbortController()
  try {
    return await Promise.race([promise.then(() => true), sleep(limitMs, false, { signal: settled.signal })])
  } finally {
    settled.abort()
  }
}

async function killedForMemory(container: Container, before: number): Promise<boolean> {
  const kills = await container.holder.ask('look', ANSWER_LIMIT_MS)
  if (kills !== undefined) {
    container.memoryKills = Math.max(container.memoryKills, kills)
    return kills > before
  }
  return !container.holder.alive && !container.ended && (await causeOfEnd(container)) === 'memory'
}
