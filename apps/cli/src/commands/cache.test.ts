import { mkdir, readdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startTime } from '../../../../packages/engine/src/journal/process-lock.ts'
import { inProcess } from '../__fixtures__/in-process.ts'
import { folder } from '../__fixtures__/spawn-cli.ts'

const DAY = 86_400
const now = new Date('2026-03-01T00:00:00Z')

/** Caches with what a few runs leave; times are days before now. */
async function caches(): Promise<string> {
  const cwd = await folder()
  const files: readonly [path: string, bytes: number, daysAgo: number][] = [
    ['.r2e/cache/observations/a.json', 1000, 1],
    ['.r2e/cache/observations/b.json', 3000, 40],
    ['.r2e/cache/replies/12/c.json', 500, 2],
    ['.r2e/blobs/ab/d', 2000, 3],
    ['.r2e/cache/git/demo-0123.git/objects/pack/e.pack', 70_000, 5],
  ]
  for (const [path, bytes, daysAgo] of files) {
    await mkdir(join(cwd, path, '..'), { recursive: true })
    await writeFile(join(cwd, path), new Uint8Array(bytes))
    const usedAt = now.getTime() / 1000 - daysAgo * DAY
    await utimes(join(cwd, path), usedAt, usedAt)
  }
  return cwd
}

const observations = (cwd: string) => readdir(join(cwd, '.r2e/cache/observations'))

describe('cache list and inspect', () => {
  it('say how many, how large and how old, and create nothing', async () => {
    const cwd = await caches()
    const { stdout } = await inProcess(['cache', 'list'], { cwd, now })
    const rows = stdout.split('\n').map((line) => line.trimEnd())
    expect(rows[1]).toBe('observations        2   4.0 kB  oldest 40d    results of test runs')
    expect(rows.map((line) => line.split(' ')[0])).toEqual([
      'clones',
      'observations',
      'replies',
      'blobs',
      'layers',
      'environments',
      'all',
    ])
    expect(rows.at(-1)).toMatch(/^all +\d+ kB$/)
    expect((await readdir(cwd)).sort()).toEqual(['.r2e'])
    const inspected = await inProcess(['cache', 'inspect', 'observations', '--json'], { cwd, now })
    expect(JSON.parse(inspected.stdout)).toMatchObject({
      entries: [
        { name: 'b.json', bytes: 3000, used_at: '2026-01-20T00:00:00.000Z' },
        { name: 'a.json', bytes: 1000 },
      ],
    })
    const clone = await inProcess(['cache', 'inspect', 'clones'], { cwd, now })
    expect(clone.stdout).toMatch(/^ *\d+ kB .* demo-0123\.git$/m)
  })

  it('name the cache that was meant', async () => {
    await expect(inProcess(['cache', 'inspect', 'observation'])).rejects.toMatchObject({
      code: 'unknown_cache',
      fix: 'did you mean observations?',
    })
  })
})

describe('cache prune', () => {
  it('removes what is old, and only that', async () => {
    const cwd = await caches()
    const rehearsed = await inProcess(['cache', 'prune', '--older-than', '30d', '--dry-run', '--json'], { cwd, now })
    expect(JSON.parse(rehearsed.stdout)).toEqual({
      dry_run: true,
      bytes: 3000,
      layers: 0,
      removed: [{ cache: 'observations', name: 'b.json', bytes: 3000 }],
    })
    expect(await observations(cwd)).toEqual(['a.json', 'b.json'])
    const { stdout } = await inProcess(['cache', 'prune', '--older-than', '30d'], { cwd, now })
    expect(stdout).toBe('1 of 5 entries removed, 3.0 kB')
    expect(await observations(cwd)).toEqual(['a.json'])
  })

  it('removes what was used longest ago until the rest is no larger than asked', async () => {
    const cwd = await caches()
    const pruned = await inProcess(['cache', 'prune', 'observations', '--max-size', '1k', '--json'], { cwd, now })
    expect(JSON.parse(pruned.stdout).removed).toMatchObject([{ name: 'b.json' }])
    await inProcess(['cache', 'prune', '--max-size', '0'], { cwd, now })
    for (const path of ['cache/observations', 'cache/git', 'blobs/ab'])
      expect(await readdir(join(cwd, '.r2e', path))).toEqual([])
  })

  it('waits for nobody: while a run is under way it does nothing', async () => {
    const cwd = await caches()
    await mkdir(join(cwd, '.r2e/runs/one'), { recursive: true })
    await symlink(`${process.ppid} ${await startTime(process.ppid)}`, join(cwd, '.r2e/runs/one/lock'))
    await expect(inProcess(['cache', 'prune', '--max-size', '0'], { cwd, now })).rejects.toMatchObject({
      code: 'run_locked',
    })
    expect(await observations(cwd)).toHaveLength(2)
  })

  it('refuses what says nothing, or nothing that is a limit', async () => {
    await expect(inProcess(['cache', 'prune'])).rejects.toMatchObject({ code: 'missing_value' })
    for (const words of [
      ['--older-than', 'soon'],
      ['--older-than', '3'],
      ['--max-size', 'huge'],
      ['--max-size', '-1'],
    ])
      await expect(inProcess(['cache', 'prune', ...words])).rejects.toMatchObject({ code: 'wrong_value' })
  })
})
