import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SandboxSuiteContext } from './suite-context.ts'
import { shell } from './suite-context.ts'

const OWNER_LIMIT_MS = 20_000

export function lifetimeTests(context: SandboxSuiteContext): void {
  const { options, provider, run, vitest } = context
  const { expect, it } = vitest

  it('may be disposed of twice and at once', async () => {
    const sandbox = await context.open()
    await Promise.all([sandbox[Symbol.asyncDispose](), sandbox[Symbol.asyncDispose]()])
    await sandbox[Symbol.asyncDispose]()
    if (options.leftovers) expect(await options.leftovers(run)).toBe(0)
  })

  it('leaves nothing when disposed of while a command runs, which rejects [D02]', async () => {
    const sandbox = await context.open()
    const running = expect(sandbox.exec({ argv: ['sleep', '600'], timeoutMs: 60_000 })).rejects.toThrow()
    await sleep(500)
    await sandbox[Symbol.asyncDispose]()
    await running
    if (options.leftovers) expect(await options.leftovers(run)).toBe(0)
  })

  it('rejects a command after the end', async () => {
    const sandbox = await context.open()
    await sandbox[Symbol.asyncDispose]()
    await expect(shell(sandbox, 'true')).rejects.toThrow()
  })

  it('throws for an image that does not exist', async () => {
    await expect(context.open({ image: 'r2e/no-such-image:none' })).rejects.toThrow(/no-such-image/)
  })

  it('forgets an image that was never there without complaint', async () => {
    await provider.remove('r2e/no-such-image:none')
  })

  it('sweeps nothing that lives', async () => {
    await using sandbox = await context.open()
    await provider.sweep()
    expect(await shell(sandbox, 'echo alive')).toBe('alive\n')
  })

  const { owner, leftovers } = options
  if (owner && leftovers)
    for (const signal of ['SIGKILL', 'SIGTERM'] as const)
      it(`leaves nothing when its owner is ended by ${signal} [D02]`, async () => {
        const ownRun = `${run}-${signal.toLowerCase()}`
        const child = await startOwner([...owner, context.image, ownRun])
        expect(await leftovers(ownRun)).toBeGreaterThan(0)
        child.kill(signal)
        await once(child, 'exit')
        const limit = performance.now() + 5000
        while ((await leftovers(ownRun)) > 0 && performance.now() < limit) await sleep(50)
        await provider.sweep()
        expect(await leftovers(ownRun)).toBe(0)
      })
}

async function startOwner(argv: readonly string[]): Promise<ChildProcess> {
  const [command = '', ...rest] = argv
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'inherit'] })
  const late = AbortSignal.timeout(OWNER_LIMIT_MS)
  let seen = ''
  while (!seen.includes('open')) {
    const [chunk] = (await once(child.stdout, 'data', { signal: late })) as [Buffer]
    seen += chunk.toString()
  }
  return child
}
