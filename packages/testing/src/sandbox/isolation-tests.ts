import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExecResult, Sandbox } from '@r2e/spec'
import type { SandboxSuiteContext } from './suite-context.ts'
import { bytes, shell, text } from './suite-context.ts'

export function isolationTests(context: SandboxSuiteContext): void {
  const { options, run, vitest } = context
  const { expect, it } = vitest
  const connect = (sandbox: Sandbox, host: string, port: number): Promise<ExecResult> =>
    sandbox.exec({ argv: ['bash', '-c', `</dev/tcp/${host}/${port}`], timeoutMs: 10_000 })

  it('starts every sandbox from the image, untouched by the ones before [W12]', async () => {
    {
      await using first = await context.open()
      await shell(first, 'echo changed > file.txt; rm kept; echo x > new; echo x > /tmp/new')
      await first.write('/work/tree', [{ path: 'written', mode: '100644', content: bytes('x') }])
      await first.exec({ argv: ['sh', '-c', 'echo x > /usr/bin/new'], user: 'root', timeoutMs: 10_000 })
    }
    await using second = await context.open()
    expect(await shell(second, 'cat file.txt; ls -d kept new written /tmp/new /usr/bin/new 2>/dev/null || :')).toBe(
      'file\nkept\n',
    )
  })

  it('keeps sandboxes that run beside each other apart', async () => {
    const sandboxes = await Promise.all([1, 2, 3].map(() => context.open()))
    try {
      await Promise.all(sandboxes.map((sandbox, i) => shell(sandbox, `echo ${i} > own; echo ${i} > /tmp/own`)))
      const seen = await Promise.all(sandboxes.map((sandbox) => shell(sandbox, 'cat own /tmp/own')))
      expect(seen).toEqual(['0\n0\n', '1\n1\n', '2\n2\n'])
      expect(new Set(sandboxes.map(({ id }) => id)).size).toBe(3)
    } finally {
      await Promise.all(sandboxes.map((sandbox) => sandbox[Symbol.asyncDispose]()))
    }
  })

  it('has its own /tmp, its own processes and nothing of the environment of its owner', async () => {
    await using sandbox = await context.open()
    await shell(sandbox, `touch /tmp/${run}`)
    expect(existsSync(join(tmpdir(), run)) || existsSync(`/tmp/${run}`)).toBe(false)
    expect(Number(await shell(sandbox, 'ls -d /proc/[0-9]* | wc -l'))).toBeLessThan(16)
    process.env.R2E_SUITE_SECRET = 'seen'
    try {
      expect(await shell(sandbox, 'env; cat /proc/[0-9]*/environ 2>/dev/null | tr "\\0" "\\n"')).not.toContain(
        'SUITE_SECRET',
      )
    } finally {
      delete process.env.R2E_SUITE_SECRET
    }
  })

  it('has no network unless asked', async () => {
    await using sandbox = await context.open()
    const devices = await shell(sandbox, "tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '")
    expect(devices).toBe('lo\n')
    for (const [host, port] of [
      ['192.0.2.1', 80],
      ['example.com', 80],
      [options.network?.host ?? '198.51.100.1', options.network?.port ?? 80],
    ] as const)
      expect(await connect(sandbox, host, port), host).toMatchObject({ outcome: 'exited', exitCode: 1 })
  })

  it('reaches itself without a network', async () => {
    await using sandbox = await context.open()
    expect(
      await shell(
        sandbox,
        'cat /sys/class/net/lo/operstate 2>/dev/null || :; (exec 3<>/dev/udp/127.0.0.1/9) && echo up',
      ),
    ).toMatch(/up\n$/)
  })

  if (options.network) {
    const { host, port } = options.network
    it('has a network when asked', async () => {
      await using sandbox = await context.open({ network: true })
      const result = await connect(sandbox, host, port)
      expect(result, text(result.stderr)).toMatchObject({ exitCode: 0 })
    })
  }
}
