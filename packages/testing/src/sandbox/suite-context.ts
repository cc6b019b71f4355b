import type { OpenRequest, Sandbox, SandboxLimits, SandboxProvider } from '@r2e/spec'
import type { SandboxSuiteOptions } from './sandbox-suite.ts'

/** What the groups of the suite share. */
export interface SandboxSuiteContext {
  readonly vitest: typeof import('vitest')
  readonly provider: SandboxProvider
  readonly options: SandboxSuiteOptions
  readonly run: string
  /** The image that the suite built; readable inside tests. */
  readonly image: string
  open(request?: Partial<Omit<OpenRequest, 'limits'>> & { readonly limits?: Partial<SandboxLimits> }): Promise<Sandbox>
}

export function bytes(text: string): Uint8Array {
  return Buffer.from(text)
}

export function text(value: Uint8Array | undefined): string | undefined {
  return value && Buffer.from(value).toString()
}

/** Runs a script and answers what it printed; a script that fails is an error of the test. */
export async function shell(sandbox: Sandbox, script: string, timeoutMs = 20_000): Promise<string> {
  const result = await sandbox.exec({ argv: ['bash', '-c', script], timeoutMs })
  if (result.outcome !== 'exited' || result.exitCode !== 0)
    throw new Error(`${script}: ${result.outcome} ${result.exitCode}: ${text(result.stderr)}`)
  return Buffer.from(result.stdout).toString()
}
