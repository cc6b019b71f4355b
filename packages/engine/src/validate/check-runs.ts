import type { SandboxLimits, SandboxProvider } from '@r2e/spec'
import { runTask, type TaskRun } from '../observe/run-task.ts'
import { error, type Finding } from './finding.ts'
import type { TaskFiles } from './task-files.ts'
import type { TaskToml } from './task-toml.ts'

export interface RunChecks {
  readonly sandbox: SandboxProvider
  readonly oracle: boolean
  readonly nop: boolean
  /** Times each state is run. */
  readonly runs: number
  readonly label: string
  /** Where task.toml sets none. */
  readonly limits: SandboxLimits
  readonly buildTimeoutMs: number
  readonly signal?: AbortSignal | undefined
}

export interface RunCheck {
  readonly state: 'oracle' | 'nop'
  readonly turn: number
  readonly run: TaskRun
  readonly findings: readonly Finding[]
}

/** Runs a task as Harbor would: the oracle must earn 1, doing nothing less, and 0 where a test is to go from fail to pass. */
export async function* checkRuns(task: TaskFiles, toml: TaskToml, checks: RunChecks): AsyncGenerator<RunCheck, void> {
  const states = (['oracle', 'nop'] as const).filter((state) => checks[state])
  const failing = (toml.metadata?.repo2env?.reward_calibration?.f2p_count ?? 0) > 0
  for (const state of states)
    for (let turn = 1; turn <= checks.runs; turn++) {
      const run = await runTask({
        provider: checks.sandbox,
        files: task.files,
        state,
        run: checks.label,
        limits: {
          cpus: toml.environment?.cpus ?? checks.limits.cpus,
          memoryMb: toml.environment?.memory_mb ?? checks.limits.memoryMb,
          pids: checks.limits.pids,
        },
        timeoutMs: (toml.verifier?.timeout_sec ?? 600) * 1000,
        buildTimeoutMs: checks.buildTimeoutMs,
        signal: checks.signal,
      })
      yield { state, turn, run, findings: judge(state, run, failing) }
      if (run.outcome === 'build_failed') return
    }
}

function judge(state: 'oracle' | 'nop', run: TaskRun, failing: boolean): Finding[] {
  if (run.outcome !== 'graded') return [error(run.reason, `${state}: ${run.detail}`)]
  const status = typeof run.details.status === 'string' ? ` (${run.details.status})` : ''
  if (state === 'oracle')
    return run.reward === 1 ? [] : [error('oracle_not_one', `the oracle scores ${run.reward}${status}, not 1`)]
  if (run.reward >= 1) return [error('nop_scores', `doing nothing scores ${run.reward}`)]
  return failing && run.reward !== 0 ? [error('nop_scores', `doing nothing scores ${run.reward}, not 0`)] : []
}
