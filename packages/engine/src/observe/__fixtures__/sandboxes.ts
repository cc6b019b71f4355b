import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SandboxProvider } from '@r2e/spec'
import { createDockerSandbox } from '../../../../sandbox/src/docker/index.ts'
import { createLocalSandbox } from '../../../../sandbox/src/local/index.ts'

export interface TestedSandbox {
  readonly provider: SandboxProvider
  readonly ok: boolean
  readonly detail: string
}

const stateDirectory = mkdtempSync(join(tmpdir(), 'r2e-sandbox-state-'))

/** Every kind of sandbox, with what its probe says of this machine; in CI (R2E_REQUIRE_DOCKER=1) all must work. */
export async function sandboxes(): Promise<readonly TestedSandbox[]> {
  const providers = [createDockerSandbox(), createLocalSandbox({ stateDirectory })]
  const tested = await Promise.all(providers.map(async (provider) => ({ provider, ...(await provider.probe()) })))
  const broken = process.env.R2E_REQUIRE_DOCKER === '1' ? tested.find(({ ok }) => !ok) : undefined
  if (broken) throw new Error(`the ${broken.provider.name} sandbox cannot work here: ${broken.detail}`)
  return tested
}

/** Removes the layers that the local sandbox made. */
export function removeSandboxes(): void {
  rmSync(stateDirectory, { recursive: true, force: true })
}
