import { spawn } from 'node:child_process'

export interface GitResult {
  readonly code: number
  readonly stdout: Buffer
  readonly stderr: string
}

export interface GitOptions {
  readonly directory: string
  readonly input?: Uint8Array | undefined
  readonly signal?: AbortSignal | undefined
}

/** Variables of a surrounding git command that would point ours at another repository. */
const FOREIGN = [
  ...['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_OBJECT_DIRECTORY', 'GIT_ALTERNATE_OBJECT_DIRECTORIES'],
  ...['GIT_COMMON_DIR', 'GIT_NAMESPACE', 'GIT_CONFIG', 'GIT_CONFIG_COUNT', 'GIT_CONFIG_PARAMETERS', 'GIT_DIFF_OPTS'],
  ...['GIT_EXTERNAL_DIFF', 'GIT_LITERAL_PATHSPECS', 'GIT_GLOB_PATHSPECS', 'GIT_ICASE_PATHSPECS', 'GIT_TRACE'],
]
const FIXED = ['GIT_CONFIG_NOSYSTEM=1', 'GIT_CONFIG_GLOBAL=/dev/null', 'GIT_TERMINAL_PROMPT=0', 'LC_ALL=C']

/** Runs git free of the user's configuration, in the bare repository `directory`. A non-zero exit is data. */
export function runGit(args: readonly string[], options: GitOptions): Promise<GitResult> {
  const argv = [...FOREIGN.flatMap((name) => ['-u', name]), ...FIXED, 'git', `--git-dir=${options.directory}`, ...args]
  return new Promise((resolve, reject) => {
    const child = spawn('env', argv, { stdio: 'pipe', cwd: options.directory, signal: options.signal })
    const stdout: Buffer[] = []
    const stderr: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
    child.stdin.on('error', () => {}) // git may exit before it has read everything; its exit code tells
    child.on('error', reject)
    child.on('close', (code) =>
      resolve({ code: code ?? 128, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() }),
    )
    child.stdin.end(options.input ?? new Uint8Array())
  })
}
