import { spawn } from 'node:child_process'

export interface HostResult {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

export interface HostCommand {
  readonly argv: readonly string[]
  readonly cwd?: string | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
}

/** Runs one of our own small commands on the host, with an environment of its own. Never throws; 127 when it cannot start. */
export function runHost({ argv, cwd, env = HOST_ENV }: HostCommand): Promise<HostResult> {
  return new Promise((resolve) => {
    const child = spawn(argv[0]!, argv.slice(1), { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.on('error', (error) => resolve({ exitCode: 127, stdout, stderr: stderr + error.message }))
    child.on('close', (code) => resolve({ exitCode: code ?? 128, stdout, stderr }))
  })
}

/** Where system tools lie, whatever the caller's PATH says. The second name keeps mount(8) from a call that old kernels cut at 256 bytes. */
export const HOST_ENV: Readonly<Record<string, string>> & { readonly PATH: string } = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  LIBMOUNT_FORCE_MOUNT2: 'always',
}
