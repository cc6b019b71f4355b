import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { OpenRequest, Sandbox } from '@r2e/spec'
import Docker from 'dockerode'
import { afterAll, describe, expect, it } from 'vitest'
import { createDockerSandbox } from './index.ts'
import { ownLabels } from './owner.ts'

const docker = new Docker()
const provider = createDockerSandbox({ proxy: { HTTPS_PROXY: 'http://proxy.invalid:1', SECRET: 'seen' } })
const image = process.env.R2E_TEST_IMAGE ?? 'lab/python'
const run = `docker-test-${process.pid}`
const probe = await provider.probe()
const required = process.env.R2E_REQUIRE_DOCKER === '1'
const title = probe.ok || required ? 'docker engine' : `docker engine: cannot run here: ${probe.detail}`

function open(more: Partial<OpenRequest> = {}): Promise<Sandbox> {
  return provider.open({ image, run, limits: { cpus: 1, memoryMb: 128, pids: 50 }, ...more })
}

async function exists(id: string): Promise<boolean> {
  const containers = await docker.listContainers({ all: true })
  return containers.some(({ Id }) => Id === id)
}

async function gone(id: string): Promise<void> {
  const limit = performance.now() + 5000
  while ((await exists(id)) && performance.now() < limit) await sleep(50)
  expect(await exists(id)).toBe(false)
}

describe.skipIf(!probe.ok && !required)(title, () => {
  const node = [process.execPath, '--conditions=@r2e/source', '--input-type=module-typescript', '-e']
  const source = fileURLToPath(new URL('index.ts', import.meta.url))

  it('labels and limits its containers [W29]', async () => {
    await using sandbox = await open({ limits: { cpus: 1000, memoryMb: 128, pids: 50 } })
    const { Config, HostConfig } = await docker.getContainer(sandbox.id).inspect()
    const { NCPU } = (await docker.info()) as { NCPU: number }
    expect(Config.Labels).toMatchObject({ ...ownLabels(run), 'r2e.pid': String(process.pid) })
    expect(HostConfig).toMatchObject({
      AutoRemove: true,
      Memory: 128 * 2 ** 20,
      MemorySwap: 128 * 2 ** 20,
      NanoCpus: NCPU * 1e9,
      NetworkMode: 'none',
      PidsLimit: 52,
      Privileged: false,
    })
  })

  it('ends a command in time although its code stopped the holder', async () => {
    await using sandbox = await open()
    const script = 'for p in /proc/[0-9]*; do [ $p != /proc/$$ ] && kill -STOP $(basename $p); done; sleep 60'
    const result = await sandbox.exec({ argv: ['bash', '-c', script], timeoutMs: 1000 })
    expect(result).toMatchObject({ outcome: 'timed_out' })
    await gone(sandbox.id)
  })

  it('takes a command that ends its own sandbox for a command that was killed', async () => {
    await using sandbox = await open()
    const result = await sandbox.exec({ argv: ['bash', '-c', 'kill -9 -1; while :; do :; done'], timeoutMs: 20_000 })
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 137 })
    await expect(sandbox.exec({ argv: ['true'], timeoutMs: 1000 })).rejects.toMatchObject({ fault: 'transient' })
    await expect(sandbox.read('/etc/passwd')).rejects.toMatchObject({ fault: 'transient' })
  })

  it('ends a sandbox whose code floods the holder', async () => {
    await using sandbox = await open()
    const script = 'for p in /proc/[0-9]*; do yes > $p/fd/1 & done; sleep 60'
    const result = await sandbox.exec({ argv: ['bash', '-c', script], timeoutMs: 20_000 })
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 137 })
    expect(result.durationMs).toBeLessThan(10_000)
  })

  it('takes a sandbox that somebody removed for broken infrastructure', async () => {
    await using sandbox = await open()
    const running = sandbox.exec({ argv: ['sleep', '60'], timeoutMs: 30_000 })
    await sleep(300)
    const [result] = await Promise.allSettled([running, docker.getContainer(sandbox.id).remove({ force: true })])
    expect(result).toMatchObject({ status: 'rejected', reason: { code: 'sandbox_lost', fault: 'transient' } })
  })

  it('ends other commands of a sandbox as timed out when one is', async () => {
    await using sandbox = await open()
    const [one, other] = await Promise.all([
      sandbox.exec({ argv: ['sleep', '60'], timeoutMs: 800 }),
      sandbox.exec({ argv: ['sleep', '60'], timeoutMs: 30_000 }),
    ])
    expect([one.outcome, other.outcome]).toEqual(['timed_out', 'timed_out'])
  })

  it('ends a command whose time is over before it began', async () => {
    await using sandbox = await open()
    for (const timeoutMs of [0, 1, 5, 20]) {
      const result = await sandbox.exec({ argv: ['sh', '-c', 'exec sleep 30'], timeoutMs })
      expect(result).toMatchObject({ outcome: 'timed_out' })
      expect(result.durationMs).toBeLessThan(5000)
    }
    const { stdout } = await sandbox.exec({ argv: ['sh', '-c', 'cat /proc/[0-9]*/comm'], timeoutMs: 5000 })
    expect(Buffer.from(stdout).toString()).not.toContain('sleep')
  })

  it('sweeps what a dead owner created but never started, and nothing else [D02]', async () => {
    const dead = spawn('true')
    const pid = String(dead.pid)
    await once(dead, 'exit')
    const create = (labels: Record<string, string>): Promise<Docker.Container> =>
      docker.createContainer({ Image: image, Cmd: ['true'], Labels: { ...ownLabels(run), ...labels } })
    const mine = await create({})
    const reused = await create({ 'r2e.start': '1' })
    const orphan = await create({ 'r2e.pid': pid })
    const foreign = await create({ 'r2e.pid': pid, 'r2e.host': 'another' })
    try {
      expect(await provider.sweep()).toBeGreaterThanOrEqual(2)
      expect([await exists(mine.id), await exists(foreign.id)]).toEqual([true, true])
      expect([await exists(orphan.id), await exists(reused.id)]).toEqual([false, false])
    } finally {
      await Promise.all([mine, foreign].map((container) => container.remove({ force: true })))
    }
  })

  it('leaves no container when its owner dies during a build [D02]', async () => {
    const mark = `${run}-build`
    const program = `import { createDockerSandbox } from ${JSON.stringify(source)}
      const content = Buffer.from('FROM ${image}\\nRUN sleep 300; echo ${mark}\\n')
      const context = [{ path: 'Dockerfile', mode: '100644', content }]
      await createDockerSandbox().build({ context, run: '${run}', timeoutMs: 100000 })`
    const [command = '', ...rest] = [...node, program]
    const child = spawn(command, rest, { stdio: 'inherit' })
    const marked = async (): Promise<number> =>
      (await docker.listContainers({ all: true })).filter(({ Command }) => Command.includes(mark)).length
    const limit = performance.now() + 20_000
    while ((await marked()) === 0 && performance.now() < limit) await sleep(100)
    expect(await marked()).toBe(1)
    child.kill('SIGKILL')
    const end = performance.now() + 10_000
    while ((await marked()) > 0 && performance.now() < end) await sleep(100)
    expect(await marked()).toBe(0)
  })

  it('gives proxy variables to build steps and stores them in no image', async () => {
    const dockerfile = `FROM ${image}\nRUN echo "$HTTPS_PROXY|$SECRET" > /seen; echo ${run}\n`
    const context = [{ path: 'Dockerfile', mode: '100644' as const, content: Buffer.from(dockerfile) }]
    const built = await provider.build({ context, run, timeoutMs: 30_000 })
    if (!built.ok) throw new Error(built.log)
    try {
      await using sandbox = await open({ image: built.image })
      expect(Buffer.from((await sandbox.read('/seen')) ?? []).toString()).toBe('http://proxy.invalid:1|\n')
      const about = [await docker.getImage(built.image).inspect(), await docker.getImage(built.image).history()]
      expect(JSON.stringify(about)).not.toContain('proxy.invalid')
      expect(JSON.stringify(about)).toContain(run)
    } finally {
      await provider.remove(built.image)
    }
  })

  it('says that a base image is missing', async () => {
    const context = [
      { path: 'Dockerfile', mode: '100644' as const, content: Buffer.from('FROM r2e/no-such-base:1\nRUN true\n') },
    ]
    const result = await provider.build({ context, run, timeoutMs: 60_000 })
    expect(result).toMatchObject({ ok: false, reason: 'base_image_missing', step: 'FROM r2e/no-such-base:1' })
  })

  it('lets a program end that forgot to dispose of its sandbox, which then goes too', async () => {
    const program = `import { createDockerSandbox } from ${JSON.stringify(source)}
      const limits = { cpus: 1, memoryMb: 64, pids: 20 }
      const sandbox = await createDockerSandbox().open({ image: '${image}', run: '${run}', limits })
      console.log(sandbox.id)`
    const [command = '', ...rest] = [...node, program]
    const { stdout } = await promisify(execFile)(command, rest, { timeout: 20_000 })
    await gone(stdout.trim())
  })
})

describe('docker engine that is not there', () => {
  const folder = mkdtempSync(join(tmpdir(), 'r2e-docker-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const request = { image, run, limits: { cpus: 1, memoryMb: 64, pids: 20 } }

  it('is named by the probe, with what to do', async () => {
    const absent = createDockerSandbox({ socketPath: join(folder, 'absent.sock') })
    expect(await absent.probe()).toMatchObject({
      ok: false,
      detail: expect.stringContaining(join(folder, 'absent.sock')),
      fix: 'start Docker, or point DOCKER_HOST at a running engine, or use --sandbox local',
    })
  })

  it('is the one of the options, whatever the environment names', async () => {
    const before = process.env.DOCKER_HOST
    process.env.DOCKER_HOST = 'tcp://127.0.0.1:1'
    try {
      for (const options of [{ socketPath: '/none/a.sock' }, { host: 'unix:///none/a.sock' }])
        expect((await createDockerSandbox(options).probe()).detail).toContain('/none/a.sock')
      expect((await createDockerSandbox({ host: 'tcp://127.0.0.1:2' }).probe()).detail).toContain('127.0.0.1:2')
      expect((await createDockerSandbox().probe()).detail).toContain('127.0.0.1:1')
    } finally {
      delete process.env.DOCKER_HOST
      if (before !== undefined) process.env.DOCKER_HOST = before
    }
  })

  it('is reported at once by an aborted probe', async () => {
    const absent = createDockerSandbox({ host: 'tcp://192.0.2.1:2375' })
    expect(await absent.probe(AbortSignal.abort())).toMatchObject({ ok: false })
  })

  it('is a transient fault for every call', async () => {
    for (const options of [{ socketPath: join(folder, 'absent.sock') }, { host: 'tcp://127.0.0.1:1' }]) {
      const absent = createDockerSandbox(options)
      const fault = { code: 'docker_unavailable', fault: 'transient' }
      await expect(absent.open(request)).rejects.toMatchObject(fault)
      await expect(absent.sweep()).rejects.toMatchObject(fault)
      await expect(absent.remove('x')).rejects.toMatchObject(fault)
      const context = [{ path: 'Dockerfile', mode: '100644' as const, content: Buffer.from('FROM x\n') }]
      await expect(absent.build({ context, run, timeoutMs: 1000 })).rejects.toMatchObject(fault)
    }
  })

  it('is a transient fault where it hangs up', async () => {
    const socketPath = join(folder, 'rude.sock')
    const server = createServer((socket) => socket.destroy()).listen(socketPath)
    await expect(createDockerSandbox({ socketPath }).open(request)).rejects.toMatchObject({
      code: 'docker_unavailable',
      fault: 'transient',
    })
    server.close()
  })

  it('costs nothing before the first call', async () => {
    const source = fileURLToPath(new URL('index.ts', import.meta.url))
    const program = `import { createDockerSandbox } from ${JSON.stringify(source)}
      import { createRequire } from 'node:module'
      const loaded = () => Object.keys(createRequire(import.meta.url).cache).length > 0
      const provider = createDockerSandbox({ socketPath: '/nowhere' })
      console.log(loaded(), (await provider.probe()).ok, loaded())`
    const argv = ['--conditions=@r2e/source', '--input-type=module-typescript', '-e', program]
    const { stdout } = await promisify(execFile)(process.execPath, argv)
    expect(stdout).toBe('false false true\n')
  })
})
