import { setTimeout as sleep } from 'node:timers/promises'
import { type ExecRequest, type ExecResult, encodeUtf8 } from '@r2e/spec'
import { createOutputWindow, type OutputWindow } from '../output-window.ts'
import { runCommand } from './command.ts'
import { enterCommand, killCommand } from './enter.ts'
import type { LiveSandbox, Run } from './live-sandbox.ts'
import { runHost } from './run-host.ts'
import { ROOT_USER, type UserIds } from './user-ids.ts'

const DEFAULT_OUTPUT_LIMIT = 2 ** 20
const KILLED = 137
const NOT_RUN = 126
const RETRY_MS = 20
/** GNU env could not change the folder. */
const ENV_FAILED = 125

/**
 * Variables that would change the programs which run before the command: the loader's and those of the C library. They
 * travel as arguments of env(1), the last program before the command.
 */
const LOADER_VARIABLE = /^(LD_|GLIBC_|MALLOC_|GCONV_PATH$|LOCPATH$|NLSPATH$|LANGUAGE$|RES_OPTIONS$|HOSTALIASES$)/
/** A shell on the way drops other names, and adds these. */
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/
const SHELL_VARIABLES = ['PWD', 'OLDPWD', 'SHLVL', '_']

export interface WatchedRequest extends ExecRequest {
  /** Gets all of both streams as it comes. */
  readonly onOutput?: ((chunk: Uint8Array) => void) | undefined
}

/** Runs one command. A time-out ends everything in the sandbox; other commands of it then end as timed out too. */
export async function execute(sandbox: LiveSandbox, request: WatchedRequest): Promise<ExecResult> {
  request.signal?.throwIfAborted()
  const started = performance.now()
  const limit = request.outputLimit ?? DEFAULT_OUTPUT_LIMIT
  const stdout = createOutputWindow(limit)
  const stderr = createOutputWindow(limit)
  const take = (window: OutputWindow, chunk: Uint8Array): void => {
    window.push(chunk)
    request.onOutput?.(chunk)
  }
  const user = await sandbox.resolveUser(request.user)
  const run: Run = { timedOut: false, oom: false }
  let exitCode = NOT_RUN
  if (user) {
    const variables = variablesOf(sandbox, request, user)
    const killsBefore = sandbox.entrance.groups.memoryKills()
    sandbox.assertAlive()
    sandbox.runs.add(run)
    const end = stopOn(sandbox, request)
    try {
      exitCode = await runCommand({
        argv: enterCommand(sandbox.entrance, user, [
          ...sandbox.entrance.toolBox.command('env'),
          `--chdir=${request.cwd ?? sandbox.workdir}`,
          ...variables.late,
          ...request.argv,
        ]),
        env: variables.early,
        stdin: request.stdin && [request.stdin],
        onStart: (pid) => (run.pid = pid),
        onStdout: (chunk) => take(stdout, chunk),
        onStderr: (chunk) => take(stderr, chunk),
      })
    } finally {
      await end()
      sandbox.runs.delete(run)
    }
    if (sandbox.entrance.groups.memoryKills() > killsBefore) run.oom = true
  } else stderr.push(encodeUtf8(`no such user in the sandbox: ${request.user}\n`))
  request.signal?.throwIfAborted()
  sandbox.assertAlive()
  if (exitCode === ENV_FAILED && startsLikeEnv(stderr.bytes())) exitCode = NOT_RUN
  const outcome = run.oom ? 'oom' : run.timedOut ? 'timed_out' : 'exited'
  return {
    outcome,
    exitCode: outcome === 'exited' ? exitCode : KILLED,
    stdout: stdout.bytes(),
    stderr: stderr.bytes(),
    truncated: stdout.truncated || stderr.truncated,
    durationMs: Math.round(performance.now() - started),
  }
}

/** Kills at the time limit and on abort, again and again until the command is gone: one that just enters is hard to hit. */
function stopOn(sandbox: LiveSandbox, { timeoutMs, signal }: ExecRequest): () => Promise<void> {
  let killing: Promise<void> | undefined
  let ended = false
  const stop = async (): Promise<void> => {
    for (const run of sandbox.runs) run.timedOut = true
    do {
      await killAll(sandbox)
      await sleep(RETRY_MS)
    } while (!ended)
  }
  const kill = (): void => {
    killing ??= stop()
  }
  const timer = setTimeout(kill, timeoutMs)
  signal?.addEventListener('abort', kill)
  return async () => {
    ended = true
    clearTimeout(timer)
    signal?.removeEventListener('abort', kill)
    await killing
  }
}

/** Ends everything in the sandbox but its first process. */
export async function killAll(sandbox: LiveSandbox): Promise<void> {
  if (sandbox.isAlive()) await runHost({ argv: killCommand(sandbox.entrance) })
}

interface Variables {
  /** For the environment of the first program. */
  readonly early: Record<string, string>
  /** For env(1). */
  readonly late: readonly string[]
}

function variablesOf(sandbox: LiveSandbox, request: ExecRequest, user: UserIds): Variables {
  const home = user === ROOT_USER ? {} : { HOME: user.home }
  const all = Object.entries({ ...sandbox.rootEnv, ...home, ...sandbox.imageEnv, ...request.env })
  const isLate = (name: string): boolean =>
    LOADER_VARIABLE.test(name) || !PLAIN_NAME.test(name) || SHELL_VARIABLES.includes(name)
  return {
    early: Object.fromEntries(all.filter(([name]) => !isLate(name))),
    late: [
      ...SHELL_VARIABLES.map((name) => `--unset=${name}`),
      '--',
      ...all.filter(([name]) => isLate(name)).map(([name, value]) => `${name}=${value}`),
    ],
  }
}

function startsLikeEnv(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 200)).toString('latin1').includes('env: cannot change directory')
}
