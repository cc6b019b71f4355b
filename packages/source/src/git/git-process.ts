import { type ChildProcess, spawn } from 'node:child_process'
import { isR2eError, R2eError, userError } from '@r2e/spec'

/** A git program and the bare repository of ours that it works in. */
export interface Git {
  readonly program: string
  /** 2.39 is 2039. */
  readonly version: number
  readonly directory: string
  readonly environment: Readonly<Record<string, string>>
}

export interface GitResult {
  readonly code: number | null
  readonly stdout: Buffer
  readonly stderr: string
}

export interface GitOptions {
  readonly input?: string | Uint8Array | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((text: string) => void) | undefined
}

const STDERR_LIMIT = 64 * 1024

/** Runs git to its end. A failure is data here; see {@link readGit} for the throwing form. */
export async function runGit(git: Git, args: readonly string[], options: GitOptions = {}): Promise<GitResult> {
  const child = startGit(git, args)
  const stop = stopOnAbort(child, options.signal)
  const output: Buffer[] = []
  child.stdout!.on('data', (chunk: Buffer) => output.push(chunk))
  const stderr = collectErrors(child, options.onProgress)
  // A git that ends early closes its input; the exit code tells, not the broken pipe.
  child.stdin!.on('error', () => {}).end(options.input)
  try {
    const code = await ended(child, git)
    options.signal?.throwIfAborted()
    return { code, stdout: Buffer.concat(output), stderr: stderr() }
  } finally {
    stop()
  }
}

/** The output of a git that succeeded. @throws R2eError `git_failed` */
export async function readGit(git: Git, args: readonly string[], options: GitOptions = {}): Promise<Buffer> {
  const result = await runGit(git, args, options)
  if (result.code !== 0) throw gitFailure(args, result.stderr)
  return result.stdout
}

/** Yields output as it comes and waits while the consumer is busy; a consumer that stops early ends git. */
export async function* streamGit(
  git: Git,
  args: readonly string[],
  options: GitOptions = {},
): AsyncGenerator<Buffer, void> {
  const child = startGit(git, args)
  const stop = stopOnAbort(child, options.signal)
  const stderr = collectErrors(child)
  child.stdin!.on('error', () => {}).end(options.input)
  const exit = ended(child, git)
  exit.catch(() => {})
  try {
    for await (const chunk of child.stdout!) yield chunk
    options.signal?.throwIfAborted()
    if ((await exit) !== 0) throw gitFailure(args, stderr())
  } finally {
    stop()
    child.kill()
    await exit.catch(() => {})
  }
}

export function startGit(git: Git, args: readonly string[]): ChildProcess {
  return spawn(git.program, [`--git-dir=${git.directory}`, ...args], { env: git.environment, cwd: '/', stdio: 'pipe' })
}

/** @throws R2eError `git_not_found` */
export function ended(child: ChildProcess, git: Git): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.on('close', resolve)
    child.on('error', (cause) => reject(gitNotFound(git.program, cause)))
  })
}

/** Damage in one object is the trouble of one candidate, not of the run: no fault of the user. */
export function gitFailure(args: readonly string[], stderr: string): R2eError {
  const command = args.find((word) => !word.startsWith('-')) ?? ''
  const reason = stderr.trim().split('\n').at(-1) || 'it said nothing'
  return new R2eError('git_failed', 'bug', `git ${command} failed: ${reason}`, {
    fix: 'Check the repository with `git fsck`; a partial clone or a damaged one lacks objects.',
  })
}

export function isGitFailure(error: unknown): boolean {
  return isR2eError(error) && error.code === 'git_failed'
}

function gitNotFound(program: string, cause: unknown): R2eError {
  return userError('git_not_found', `git cannot be started as \`${program}\``, {
    cause,
    fix: 'Install git 2.31 or later.',
  })
}

function stopOnAbort(child: ChildProcess, signal: AbortSignal | undefined): () => void {
  const stop = () => child.kill()
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop, { once: true })
  return () => signal?.removeEventListener('abort', stop)
}

function collectErrors(child: ChildProcess, onProgress?: (text: string) => void): () => string {
  let text = ''
  child.stderr!.on('data', (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(-STDERR_LIMIT)
    const line = chunk
      .toString()
      .split(/[\r\n]/)
      .findLast((part) => part.trim() !== '')
    if (line !== undefined) onProgress?.(line.trim())
  })
  return () => text
}
