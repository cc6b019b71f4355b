import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunConfig } from '../../packages/spec/src/index.ts'
import { createLocalSandbox } from '../../packages/sandbox/src/local/index.ts'

/** Why the local sandbox cannot work here; undefined where it does. In CI (R2E_REQUIRE_DOCKER=1) it must. */
export async function whyNoLocalSandbox(): Promise<string | undefined> {
  const stateDirectory = mkdtempSync(join(tmpdir(), 'r2e-probe-'))
  const probe = await createLocalSandbox({ stateDirectory, environment: process.env }).probe(AbortSignal.timeout(60_000))
  rmSync(stateDirectory, { recursive: true, force: true })
  if (probe.ok) return undefined
  if (process.env.R2E_REQUIRE_DOCKER === '1') throw new Error(`the local sandbox cannot run: ${probe.detail}`)
  return probe.detail
}

/** The section `sandbox` as a run has it by default. */
export const SANDBOX: RunConfig['sandbox'] = {
  provider: 'local',
  concurrency: 2,
  network: 'build_open_run_restricted',
  timeout_sec: 120,
  build_timeout_sec: 600,
  cpus: 1,
  memory_mb: 2048,
  pids: 512,
  rootfs: null,
}

/** Folders of the system alone: the host's tree that a sandbox shows must not change while other tests write to theirs. */
export const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
