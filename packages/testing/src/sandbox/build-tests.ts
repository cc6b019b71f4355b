import type { BuildResult } from '@r2e/spec'
import type { SandboxSuiteContext } from './suite-context.ts'
import { shell } from './suite-context.ts'
import { dockerfileContext, IMAGE_DOCKERFILE } from './suite-image.ts'

export function buildTests(context: SandboxSuiteContext): void {
  const { provider, options, run, vitest } = context
  const { expect, it } = vitest
  const from = `FROM ${options.baseImage}\n`
  const build = (dockerfile: string, more: { timeoutMs?: number; signal?: AbortSignal } = {}): Promise<BuildResult> =>
    provider.build({ context: dockerfileContext(dockerfile), run, timeoutMs: 60_000, ...more })
  const stampOf = async (result: BuildResult): Promise<string> => {
    if (!result.ok) throw new Error(result.log)
    await using sandbox = await context.open({ image: result.image })
    return await shell(sandbox, 'cat /work/stamp')
  }

  it('carries out every instruction', async () => {
    await using sandbox = await context.open()
    const user = options.users === false ? (await shell(sandbox, 'id -un')).trim() : 'nobody'
    const out = await shell(
      sandbox,
      'pwd; echo "$LONG|$SHORT"; suite-tool x; cat sorted environment exec-form user folder-of-step',
    )
    expect(out).toBe(`/work/tree\nhello world|hello\nran x\nb\na\nhello world\nhello\n${user}\n/work/tree\n`)
    expect(
      await shell(
        sandbox,
        "cat 'folder/deep/a b' folder/link; readlink folder/link; stat -c %a folder/run.sh file.txt; ls -d gone kept 2>&1 || :",
      ),
    ).toBe("blank\nblank\ndeep/a b\n755\n644\nls: cannot access 'gone': No such file or directory\nkept\n")
    expect(await sandbox.read('/work/tree/other.txt')).toEqual(Buffer.from([0xff, 0, 0xfe]))
  })

  it('answers an equal context with the same image at once [D10 D17]', async () => {
    const again = await build(IMAGE_DOCKERFILE(options))
    expect(again).toMatchObject({ ok: true, image: context.image })
    expect(again.durationMs).toBeLessThan(2000)
  })

  it('shares layers between contexts, also after an image was removed', async () => {
    const common = `${from}WORKDIR /work\nCOPY file.txt /work/\nRUN date +%s%N > stamp; echo ${run}\n`
    const one = await build(`${common}RUN echo 1 > /work/own\n`)
    const stamp = await stampOf(one)
    const two = await build(`${common}RUN echo 2 > /work/own\n`)
    expect(await stampOf(two)).toBe(stamp)
    if (one.ok) await provider.remove(one.image)
    if (two.ok) await provider.remove(two.image)
    const three = await build(`${common}RUN echo 3 > /work/own\n`)
    expect(await stampOf(three)).toBe(stamp)
    if (three.ok) await provider.remove(three.image)
  })

  it('uses no layer of an earlier build where it builds afresh, and the new image stands by itself [I8]', async () => {
    const dockerfile = `${from}WORKDIR /work\nRUN date +%s%N > stamp; echo afresh ${run}\n`
    const files = dockerfileContext(dockerfile)
    const afresh = () => provider.build({ context: files, run, timeoutMs: 60_000, fresh: true })
    const first = await build(dockerfile)
    const stamp = await stampOf(first)
    const [second, third] = [await afresh(), await afresh()]
    const stamps = [stamp, await stampOf(third)]
    expect(new Set(stamps).size).toBe(2)
    for (const result of [first, second, third]) if (result.ok) await provider.remove(result.image)
  })

  it('says whether an image is still here, by each of its names [I12]', async () => {
    const built = await build(`${from}RUN echo named ${run}\n`)
    if (!built.ok) throw new Error(built.log)
    expect(await provider.has(built.image)).toBe(true)
    if (provider.tag) {
      const name = `local/r2e-suite/named:${run}`
      await provider.tag(built.image, name)
      await provider.remove(built.image)
      expect([await provider.has(built.image), await provider.has(name)]).toEqual([false, true])
      await provider.remove(name)
      expect(await provider.has(name)).toBe(false)
    } else {
      await provider.remove(built.image)
      expect(await provider.has(built.image)).toBe(false)
    }
  })

  it('builds anew what a changed file reaches', async () => {
    const dockerfile = `${from}WORKDIR /work\nCOPY changing /work/\nRUN cat changing > stamp\n`
    for (const content of ['one', 'two']) {
      const extra = [{ path: 'changing', mode: '100644' as const, content: Buffer.from(content) }]
      const files = dockerfileContext(dockerfile, extra)
      const result = await provider.build({ context: files, run, timeoutMs: 60_000 })
      expect(await stampOf(result)).toBe(content)
      if (result.ok) await provider.remove(result.image)
    }
  })

  it('tells which step failed and what it printed', async () => {
    const result = await build(`${from}RUN true\nRUN echo to-out; echo to-err >&2; exit 3\nRUN true\n`)
    expect(result).toMatchObject({ ok: false, reason: 'step_failed', step: 'RUN echo to-out; echo to-err >&2; exit 3' })
    expect(result.log).toMatch(/to-out[\s\S]*to-err/)
  })

  it('tells which file a step misses', async () => {
    const result = await build(`${from}COPY not-there /work/\n`)
    expect(result).toMatchObject({ ok: false, reason: 'step_failed', step: 'COPY not-there /work/' })
    expect(result.log).toContain('not-there')
  })

  it('takes a Dockerfile it cannot read for a failed step, not an exception', async () => {
    expect(await build(`${from}\nFROBNICATE now\n`)).toMatchObject({
      ok: false,
      reason: 'step_failed',
      step: 'FROBNICATE now',
    })
    expect(await build('')).toMatchObject({ ok: false, reason: 'step_failed' })
    expect(await build('RUN true\n')).toMatchObject({ ok: false, reason: 'step_failed' })
  })

  it('ends a build that takes too long, without a trace', async () => {
    const started = performance.now()
    const result = await build(`${from}RUN sleep 600; echo ${run}\n`, { timeoutMs: 2000 })
    expect(result).toMatchObject({ ok: false, reason: 'timed_out', step: `RUN sleep 600; echo ${run}` })
    expect(performance.now() - started).toBeLessThan(15_000)
    if (options.leftovers) expect(await options.leftovers(run)).toBe(0)
  })

  it('rejects when its signal aborts', async () => {
    await expect(
      build(`${from}RUN sleep 601; echo ${run}\n`, { signal: AbortSignal.timeout(1000) }),
    ).rejects.toMatchObject({
      name: 'TimeoutError',
    })
    if (options.leftovers) expect(await options.leftovers(run)).toBe(0)
  })

  it('keeps head and tail of a long log, and passes all of it on', async () => {
    let seen = 0
    const result = await provider.build({
      context: dockerfileContext(`${from}RUN echo first-line; yes filler | head -c 3000000; echo last-line; exit 1\n`),
      run,
      timeoutMs: 60_000,
      onOutput: (chunk) => {
        seen += chunk.length
      },
    })
    expect(seen).toBeGreaterThan(2_900_000)
    expect(result.log.length).toBeLessThan(1_000_000)
    expect(result.log).toMatch(/first-line[\s\S]*last-line/)
  })

  if (options.network) {
    const { host, port } = options.network
    it('has the network in its steps', async () => {
      const result = await build(`${from}RUN bash -c '</dev/tcp/${host}/${port}' && echo ${run}\n`)
      expect(result, result.log).toMatchObject({ ok: true })
      if (result.ok) await provider.remove(result.image)
    })
  }
}
