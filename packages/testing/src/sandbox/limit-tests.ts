import { setTimeout as sleep } from 'node:timers/promises'
import type { Sandbox } from '@r2e/spec'
import type { SandboxSuiteContext } from './suite-context.ts'
import { shell, text } from './suite-context.ts'

/** Processes that outlive their parent, leave its group and session, and ignore polite signals. */
const STUBBORN = `trap '' TERM INT HUP
beat='trap "" TERM INT HUP; while :; do echo x >> /work/tree/beat; sleep 0.05; done'
(setsid bash -c "$beat" &)
(bash -c "$beat" > /dev/null 2>&1 &)
env -i setsid --fork bash -c "PATH=$PATH; $beat"
echo started
sleep 600`

export function limitTests(context: SandboxSuiteContext): void {
  const { expect, it } = context.vitest
  const beats = async (sandbox: Sandbox): Promise<number> => (await sandbox.read('/work/tree/beat'))?.length ?? 0
  const expectStillness = async (sandbox: Sandbox): Promise<void> => {
    const before = await beats(sandbox)
    expect(before).toBeGreaterThan(0)
    await sleep(500)
    expect(await beats(sandbox)).toBe(before)
  }

  it('ends a command that takes too long, and all that it started [W11]', async () => {
    await using sandbox = await context.open()
    const result = await sandbox.exec({ argv: ['bash', '-c', STUBBORN], timeoutMs: 1500 })
    expect(result).toMatchObject({ outcome: 'timed_out' })
    expect(text(result.stdout)).toBe('started\n')
    expect(result.durationMs).toBeLessThan(8000)
    await expectStillness(sandbox)
  })

  it('ends a command whose signal aborts, and all that it started', async () => {
    await using sandbox = await context.open()
    const signal = AbortSignal.timeout(1500)
    const running = sandbox.exec({ argv: ['bash', '-c', STUBBORN], timeoutMs: 60_000, signal })
    await expect(running).rejects.toMatchObject({ name: 'TimeoutError' })
    await expectStillness(sandbox)
  })

  it('ends a command that prints without end, in bounded memory', async () => {
    await using sandbox = await context.open()
    const result = await sandbox.exec({ argv: ['yes'], timeoutMs: 1000, outputLimit: 1000 })
    expect(result).toMatchObject({ outcome: 'timed_out', truncated: true })
    expect(result.stdout.length).toBeLessThan(1200)
  })

  it('keeps the number of processes below the limit [W29]', async () => {
    await using sandbox = await context.open({ limits: { pids: 50 } })
    const script = 'i=0; while [ $i -lt 100 ]; do sleep 30 & i=$((i+1)); done; echo all'
    const result = await sandbox.exec({ argv: ['sh', '-c', script], timeoutMs: 15_000 })
    expect(text(result.stdout)).not.toContain('all')
  })

  it('outlives a fork bomb, beside a sandbox that works', async () => {
    await using other = await context.open()
    const sandbox = await context.open({ limits: { pids: 60 } })
    const script = 'bomb() { bomb | bomb & }; bomb; while :; do :; done'
    const bomb = sandbox.exec({ argv: ['bash', '-c', script], timeoutMs: 2000, outputLimit: 1000 })
    expect(await shell(other, 'echo fine')).toBe('fine\n')
    expect(await bomb).toMatchObject({ outcome: 'timed_out' })
    const started = performance.now()
    await sandbox[Symbol.asyncDispose]()
    expect(performance.now() - started).toBeLessThan(8000)
  })

  it('tells when memory ran out [H3]', async () => {
    await using sandbox = await context.open({ limits: { memoryMb: 64 } })
    const result = await sandbox.exec({ argv: ['tail', '/dev/zero'], timeoutMs: 30_000 })
    expect(result).toMatchObject({ outcome: 'oom', exitCode: 137 })
  })

  it('tells when memory ran out below a command that goes on [H3]', async () => {
    await using sandbox = await context.open({ limits: { memoryMb: 64 } })
    const result = await sandbox.exec({ argv: ['sh', '-c', 'tail /dev/zero; exit 1'], timeoutMs: 30_000 })
    expect(result).toMatchObject({ outcome: 'oom', exitCode: 137 })
  })

  it('takes no notice of memory within the limit', async () => {
    await using sandbox = await context.open({ limits: { memoryMb: 256 } })
    const argv = ['dd', 'if=/dev/zero', 'of=/dev/null', 'bs=64M', 'count=1']
    expect(await sandbox.exec({ argv, timeoutMs: 30_000 })).toMatchObject({ outcome: 'exited', exitCode: 0 })
  })
}
