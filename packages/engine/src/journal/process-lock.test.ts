import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { takeLock } from './process-lock.ts'

let directory: string
let path: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'r2e-lock-'))
  path = join(directory, 'lock')
})
afterEach(() => rm(directory, { recursive: true, force: true }))

it('is held by one until it is released', async () => {
  const taken = await Promise.all(Array.from({ length: 20 }, () => takeLock(path)))
  const [release, ...others] = taken.filter((lock) => lock !== undefined)
  expect(others).toEqual([])
  await release!()
  expect(await takeLock(path)).toBeDefined()
})

it('passes to one of many when its owner is gone', async () => {
  for (const owner of [`${process.pid} 1`, '999999999 1', 'garbage', '0 0', `-1 ${process.pid}`]) {
    await symlink(owner, path)
    const taken = await Promise.all(Array.from({ length: 20 }, () => takeLock(path)))
    const [release, ...others] = taken.filter((lock) => lock !== undefined)
    expect([owner, others]).toEqual([owner, []])
    await release!()
    expect(await readdir(directory)).toEqual([])
  }
})

it('is held by one at a time also where many take it as soon as it is released', async () => {
  let holders = 0
  let most = 0
  const work = async () => {
    for (let turn = 0; turn < 40; ) {
      const release = await takeLock(path)
      if (!release) continue
      most = Math.max(most, ++holders)
      await new Promise((done) => setImmediate(done))
      holders--
      turn++
      await release()
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
  expect(most).toBe(1)
})

it('stays with a process of another container, which cannot be seen', async () => {
  await symlink('7 1234 1', path)
  expect(await takeLock(path)).toBeUndefined()
})

it('is released once: the next holder keeps it', async () => {
  const first = await takeLock(path)
  await first!()
  expect(await takeLock(path)).toBeDefined()
  await first!()
  expect(await takeLock(path)).toBeUndefined()
})

it('says why it cannot be taken rather than that somebody has it', async () => {
  await writeFile(join(directory, 'file'), '')
  await expect(takeLock(join(directory, 'file', 'lock'))).rejects.toMatchObject({ code: 'ENOTDIR' })
  await expect(takeLock(join(directory, 'none', 'lock'))).rejects.toMatchObject({ code: 'ENOENT' })
})
