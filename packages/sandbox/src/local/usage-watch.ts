import { readFileSync } from 'node:fs'
import type { SandboxLimits } from '@r2e/spec'
import type { LiveSandbox } from './live-sandbox.ts'
import { descendants, listProcesses } from './process-tree.ts'

const INTERVAL_MS = 100

export interface UsageWatch {
  readonly limits: SandboxLimits
  stop(): Promise<void>
}

/**
 * Samples what the processes of a sandbox use while commands run, where no control group limits it, and stops them above
 * a limit. Answers how to end the watch.
 */
export function watchUsage(sandbox: LiveSandbox, { limits, stop }: UsageWatch): () => void {
  const { groups, pid } = sandbox.entrance
  let stopping = false
  const look = async (): Promise<void> => {
    if (stopping || sandbox.runs.size === 0) return
    const entrances = [...sandbox.runs].flatMap((run) => run.pid ?? [])
    const inside = descendants(listProcesses(), new Set([pid, ...entrances])).map((entry) => entry.pid)
    const tooMuch = !groups.memory && usedKb(inside) > limits.memoryMb * 1024
    if (!tooMuch && (groups.pids || inside.length <= limits.pids)) return
    if (tooMuch) for (const run of sandbox.runs) run.oom = true
    stopping = true
    await stop()
    stopping = false
  }
  const timer = setInterval(() => void look(), INTERVAL_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/** Memory that belongs to these processes, pages they share counted once in all. */
function usedKb(pids: readonly number[]): number {
  return pids.reduce((total, pid) => total + proportionalKb(pid), 0)
}

function proportionalKb(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1')
    return Number(text.match(/^Pss_Anon:\s+(\d+)/m)?.[1] ?? text.match(/^Pss:\s+(\d+)/m)?.[1] ?? 0)
  } catch {
    return 0
  }
}
