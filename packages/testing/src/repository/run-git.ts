import { spawn } from 'node:child_process'

export interface GitInput {
  readonly directory: string
  readonly input?: Uint8Array | undefined
  /** Added to a minimal environment that reads no configuration of the machine or the user. */
  readonly environment?: Readonly<Record<string, string>>
}

/** Runs git and answers its output. @throws Error with git's own message when it fails. */
export async function runGitBytes(where: GitInput, ...args: readonly string[]): Promise<Buffer> {
  const child = spawn('git', args, { cwd: where.directory, env: cleanEnvironment(where.environment), stdio: 'pipe' })
  const output: Buffer[] = []
  const errors: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk))
  child.stdin.on('error', () => {})
  child.stdin.end(where.input)
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
  if (code !== 0) throw new Error(`git ${args.join(' ')}: ${Buffer.concat(errors).toString()}`)
  return Buffer.concat(output)
}

/** The output of git as text, without the blanks at its end. */
export async function runGit(directory: string, ...args: readonly string[]): Promise<string> {
  return (await runGitBytes({ directory }, ...args)).toString().trimEnd()
}

function cleanEnvironment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin',
    HOME: '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    ...extra,
  }
}
