import type { BuildResult, FileEntry, RunConfig, SandboxProvider } from '@r2e/spec'
import type { ObserverSession } from '../observe/observer.ts'
import { buildTask, type RunTaskRequest, runBuiltTask } from '../observe/run-task.ts'

export interface ProofSessionOptions {
  readonly provider: SandboxProvider
  readonly sandbox: RunConfig['sandbox']
  readonly run: string
  readonly fresh: boolean
  readonly signal: AbortSignal
}

/** Runs of one recipe on one tree: built once, each run in a fresh sandbox, and no result of an earlier run stands in. */
export interface ProofSession extends ObserverSession {
  /** What was built; undefined before the first run. */
  built(): { readonly result: BuildResult; readonly files: readonly FileEntry[] } | undefined
}

/** At the end the image goes, unless `keep` was called. */
export function openProofSession(options: ProofSessionOptions): ProofSession & { keep(): void } {
  const { provider, sandbox, run, fresh, signal } = options
  const { network } = sandbox
  let built: ReturnType<ProofSession['built']>
  let kept = false
  return {
    built: () => built,
    keep: () => {
      kept = true
    },
    async observe({ files, state, timeoutSec }) {
      const request: RunTaskRequest = {
        provider,
        files,
        state,
        run,
        limits: { cpus: sandbox.cpus, memoryMb: sandbox.memory_mb, pids: sandbox.pids },
        timeoutMs: timeoutSec * 1000,
        buildTimeoutMs: sandbox.build_timeout_sec * 1000,
        network: { build: network !== 'none', run: network === 'open' },
        signal,
      }
      built ??= { result: await buildTask(request, fresh), files }
      return await runBuiltTask(request, built.result)
    },
    async [Symbol.asyncDispose]() {
      if (!kept && built?.result.ok) await provider.remove(built.result.image).catch(() => {})
    },
  }
}
