import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BuildResult, ExecRequest, FileEntry, Sandbox, SandboxProvider } from '@r2e/spec'
import { afterAll } from 'vitest'
import { openStore, removeTree } from '../store.ts'
import { detectIdentity } from '../identity.ts'
import { createLocalSandbox, type LocalSandboxOptions } from '../index.ts'

const identity = await detectIdentity()
/** Why no local sandbox can run here, or undefined. */
export const unsupported: string | undefined = 'error' in identity ? identity.error : undefined

/** A folder that is gone after the tests of a file, whoever owns what is in it. */
export function temporaryFolder(name = 'r2e-local-'): string {
  const folder = mkdtempSync(join(tmpdir(), name))
  afterAll(async () => {
    if (!('error' in identity)) await removeTree(await openStore(folder, identity), folder)
  })
  return folder
}

export interface Bench {
  readonly provider: SandboxProvider
  build(dockerfile: string, files?: Readonly<Record<string, string>>): Promise<BuildResult>
  open(dockerfile?: string): Promise<Sandbox>
}

export function createBench(options: LocalSandboxOptions): Bench {
  const provider = createLocalSandbox(options)
  const entry = ([path, text]: [string, string]): FileEntry => ({ path, mode: '100644', content: Buffer.from(text) })
  const build = (dockerfile: string, files: Readonly<Record<string, string>> = {}): Promise<BuildResult> =>
    provider.build({ context: Object.entries({ ...files, Dockerfile: dockerfile }).map(entry), run: 'bench', timeoutMs: 60_000 })
  return {
    provider,
    build,
    async open(dockerfile = 'FROM any\n') {
      const built = await build(dockerfile)
      if (!built.ok) throw new Error(built.log)
      return await provider.open({ image: built.image, run: 'bench', limits: { cpus: 1, memoryMb: 256, pids: 64 } })
    },
  }
}

/** What a script printed on both streams. */
export async function output(sandbox: Sandbox, script: string, more: Partial<ExecRequest> = {}): Promise<string> {
  const result = await sandbox.exec({ argv: ['sh', '-c', `{ ${script}\n} 2>&1`], timeoutMs: 20_000, ...more })
  return Buffer.from(result.stdout).toString()
}
