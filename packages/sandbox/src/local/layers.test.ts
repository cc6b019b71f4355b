import { readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createBench, output, temporaryFolder, unsupported } from './__fixtures__/local-bench.ts'

const asRoot = process.geteuid?.() === 0
const gone = (path: string): string => `ls: cannot access '${path}': No such file or directory\n`

describe.skipIf(unsupported)(`layers${unsupported ? ` (cannot run here: ${unsupported})` : ''}`, () => {
  const stateDirectory = temporaryFolder()
  const bench = createBench({ stateDirectory })
  const layers = (): string[] => readdirSync(join(stateDirectory, 'l')).sort()
  const live = (): number =>
    readdirSync(join(stateDirectory, 's')).length + readdirSync(join(stateDirectory, 'n')).length

  it('stack: what a later one removes, replaces or moves is so for those above', async () => {
    const dockerfile = `FROM any
RUN mkdir -p /w/a /w/b /opt/o && echo 1 > /w/a/x && echo 1 > /w/b/y && echo 1 > /opt/o/z && ln -s a /w/link
RUN rm -r /w/a /opt/o && mkdir /w/a && echo 2 > /w/a/new && rm /w/link && echo file > /w/link
RUN mv /w/b /w/c && if [ -w /usr/bin/env ]; then rm /usr/bin/env; else mkdir /opt/no-env; fi
`
    await using sandbox = await bench.open(dockerfile)
    expect(
      await output(sandbox, 'cd /w; find . | sort; cat link; ls /opt/o; [ -d /opt/no-env ] || ls /usr/bin/env'),
    ).toBe(`.\n./a\n./a/new\n./c\n./c/y\n./link\nfile\n${gone('/opt/o')}${asRoot ? gone('/usr/bin/env') : ''}`)
  })

  it('carry many steps', async () => {
    const steps = Array.from({ length: 20 }, (_, i) => `COPY file /many/${i}\n`).join('')
    const built = await bench.build(`FROM any\n${steps}RUN ls /many | wc -l > /count\n`, { file: 'x' })
    expect(built, built.log).toMatchObject({ ok: true })
    if (!built.ok) return
    await using sandbox = await bench.provider.open({
      image: built.image,
      run: 'x',
      limits: { cpus: 1, memoryMb: 64, pids: 9 },
    })
    expect(Buffer.from((await sandbox.read('/count')) ?? []).toString()).toBe('20\n')
  })

  it('are made once by builds at one time, and by none that fails', async () => {
    const before = layers().length
    const dockerfile = 'FROM any\nRUN sleep 0.3; date +%N > /stamp\n'
    const both = await Promise.all([bench.build(dockerfile), bench.build(dockerfile)])
    expect(both[0]).toMatchObject({ ok: true })
    expect(layers()).toHaveLength(before + 1)
    expect(await bench.build('FROM any\nRUN echo x > /y; false\n')).toMatchObject({ ok: false })
    expect(layers()).toHaveLength(before + 1)
    expect(live()).toBe(0)
  })

  it('made by two processes at one time are both good', async () => {
    const other = createBench({ stateDirectory })
    const dockerfile = 'FROM any\nRUN sleep 0.3; echo same > /same\n'
    for (const built of await Promise.all([bench.build(dockerfile), other.build(dockerfile)]))
      expect(built).toMatchObject({ ok: true })
  })

  it('runs a step without network where it says so', async () => {
    const names = "tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '; false"
    const built = await bench.build(`FROM any\nRUN --network=none ${names}\n`)
    expect(built.log.split('\n').slice(1, 2)).toEqual(['lo'])
  })

  it('go when no image needs them and nobody used them for a while', async () => {
    const kept = await bench.build('FROM any\nRUN echo kept > /k\n')
    const gone = await bench.build('FROM any\nRUN echo gone > /g; mkdir -p /d/e; chmod 0 /d\n')
    if (!kept.ok || !gone.ok) throw new Error('not built')
    const before = layers()
    await bench.provider.remove(gone.image)
    expect(layers()).toEqual(before)
    const long = new Date(Date.now() - 7 * 3_600_000)
    for (const id of layers()) utimesSync(join(stateDirectory, 'l', id), long, long)
    await bench.provider.sweep()
    expect(layers().length).toBeLessThan(before.length)
    await using sandbox = await bench.provider.open({
      image: kept.image,
      run: 'x',
      limits: { cpus: 1, memoryMb: 64, pids: 9 },
    })
    expect(await output(sandbox, 'cat /k')).toBe('kept\n')
  })
})
