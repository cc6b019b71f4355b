import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createBench, output, temporaryFolder, unsupported } from './__fixtures__/local-bench.ts'
import { descendants, listProcesses } from './process-tree.ts'

describe.skipIf(unsupported)(`lifetime${unsupported ? ` (cannot run here: ${unsupported})` : ''}`, () => {
  const stateDirectory = temporaryFolder()
  const bench = createBench({ stateDirectory })
  const open = (): string[] => readdirSync(join(stateDirectory, 's'))

  for (const [title, role] of [
    ['the first process of a sandbox', 'first'],
    ['the holder of a sandbox', 'holder'],
  ] as const)
    it(`answers the death of ${title} as a lost sandbox, not as a result, and leaves nothing`, async () => {
      const sandbox = await bench.open()
      const running = expect(sandbox.exec({ argv: ['sleep', '60'], timeoutMs: 60_000 })).rejects.toMatchObject({
        code: 'sandbox_lost',
      })
      await sleep(200)
      process.kill(processOf(sandbox.id, role), 'SIGKILL')
      await running
      for (const action of [() => output(sandbox, 'true'), () => sandbox.read('/etc/hosts')])
        await expect(action()).rejects.toMatchObject({ code: 'sandbox_lost' })
      await sandbox[Symbol.asyncDispose]()
      expect(open()).toEqual([])
      expect(groupsOf(sandbox.id)).toEqual([])
    })

  it('leaves no control group, folder, mount or process when its owner is killed, without a sweep [D02]', async () => {
    const built = await bench.build('FROM any\nRUN echo x > /x\n')
    if (!built.ok) throw new Error(built.log)
    const owner = await startOwner(built.image)
    const [id = ''] = open()
    // Holder, what starts process 1, process 1, what waits for the command, the command and its two children.
    const inside = descendants(listProcesses(), new Set([owner.pid ?? 0])).map(({ pid }) => pid)
    expect(inside.length).toBeGreaterThanOrEqual(7)
    owner.kill('SIGKILL')
    await once(owner, 'exit')
    const late = performance.now() + 10_000
    const left = (): number => open().length + groupsOf(id).length + inside.filter(isRunning).length
    while (left() > 0 && performance.now() < late) await sleep(20)
    expect(open()).toEqual([])
    expect(groupsOf(id)).toEqual([])
    expect(inside.filter(isRunning)).toEqual([])
    expect(readFileSync('/proc/self/mountinfo', 'utf8')).not.toContain(stateDirectory)
  })

  it('sweeps what dead owners left, and nothing of the living or of other containers', async () => {
    await using sandbox = await bench.open()
    const [living = ''] = open()
    const [space = '', , , end = ''] = living.split('.')
    const dead = `${space}.4194304.1.${end}`
    const foreign = `1${space}.4194304.1.${end}`
    for (const name of [dead, foreign]) {
      mkdirSync(join(stateDirectory, 's', name, 'work/0/work'), { recursive: true })
      chmodSync(join(stateDirectory, 's', name, 'work/0/work'), 0)
    }
    expect(await bench.provider.sweep()).toBe(1)
    expect(open().sort()).toEqual([living, foreign].sort())
    expect(await output(sandbox, 'echo alive')).toBe('alive\n')
  })

  async function startOwner(image: string): Promise<ChildProcess> {
    const fixture = fileURLToPath(new URL('__fixtures__/owner.ts', import.meta.url))
    const argv = ['--conditions=@r2e/source', fixture, stateDirectory, '', image, 'killed-run']
    const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'ignore'] })
    await once(child.stdout, 'data')
    return child
  }
})

/** The holder of a sandbox, or the process it holds, as the host numbers them. */
function processOf(id: string, role: 'holder' | 'first'): number {
  const [holder = 0, ...others] = holdersOf(id)
  if (role === 'holder') return holder
  const below = descendants(listProcesses(), new Set([holder])).map(({ pid }) => pid)
  const first = below.find((pid) => !others.includes(pid))
  if (first === undefined) throw new Error('no first process')
  return first
}

/** The processes of the host that carry the id of a sandbox: its holder and what runs for it. */
function holdersOf(id: string): number[] {
  const found = listProcesses().filter(({ pid }) => quietRead(`/proc/${pid}/cmdline`).includes(`s/${id}`))
  return found.map(({ pid }) => pid).sort((a, b) => a - b)
}

function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}`)
}

function quietRead(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function groupsOf(id: string): string[] {
  const tables = ['/sys/fs/cgroup', ...['memory', 'pids', 'cpu'].map((name) => `/sys/fs/cgroup/${name}`)]
  const own = quietRead('/proc/self/cgroup')
    .split('\n')
    .map((line) => line.split(':')[2] ?? '')
  const folders = tables.flatMap((table) => own.map((path) => join(table, path, `r2e-${id}`)))
  return [...new Set(folders)].filter((path) => existsSync(path))
}
