import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildRepository, runGit } from '@r2e/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readingEnvironment } from './environment.ts'
import type { Git } from './git-process.ts'
import { createObjectReader } from './object-reader.ts'

let root: string
let git: Git
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'r2e-objects-'))
  const files = Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => [`${index}`, `content ${index}\n`.repeat(index)]),
  )
  await buildRepository(root, [{ commit: 'one', files }], { bare: true })
  git = { program: 'git', version: 2039, directory: root, environment: readingEnvironment({}) }
})
afterAll(() => rm(root, { recursive: true }))

/** A program that counts how often it starts, does `before`, and then is git. */
async function wrapped(name: string, before: string): Promise<Git & { readonly starts: () => Promise<number> }> {
  const program = join(root, name)
  await writeFile(program, `#!/bin/sh\necho >> "${program}.starts"\n${before}\nexec git "$@"\n`)
  await chmod(program, 0o755)
  const starts = async () => (await readFile(`${program}.starts`, 'utf8')).length
  return { ...git, program, starts }
}

describe('createObjectReader', () => {
  it('answers many requests in order through one process', async () => {
    const counted = await wrapped('counted', '')
    await using reader = createObjectReader(counted)
    const names = Array.from({ length: 500 }, (_, index) => (index % 7 === 0 ? `HEAD:none ${index}` : `HEAD:${index}`))
    const found = await Promise.all(names.map((name) => reader.read(name)))
    for (const [index, object] of found.entries())
      expect(object?.content.toString()).toBe(index % 7 === 0 ? undefined : `content ${index}\n`.repeat(index))
    expect(await counted.starts()).toBe(1)
  })

  it('starts git again when it died, and asks again', async () => {
    const dying = await wrapped('dying', `[ $(wc -l < "${join(root, 'dying')}.starts") -gt 1 ] || exit 3`)
    await using reader = createObjectReader(dying)
    const [one, two] = await Promise.all([reader.read('HEAD:1'), reader.read('HEAD:2')])
    expect([one?.content.toString(), two?.content.toString()]).toEqual(['content 1\n', 'content 2\ncontent 2\n'])
    expect(await dying.starts()).toBe(2)
  })

  it('gives up on a request that ends git twice', async () => {
    const dead = await wrapped('dead', 'exit 3')
    await using reader = createObjectReader(dead)
    const results = await Promise.allSettled([reader.read('HEAD:1'), reader.read('HEAD:2')])
    expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected'])
    const absent = createObjectReader({ ...git, program: join(root, 'absent') })
    await expect(absent.read('HEAD:1')).rejects.toMatchObject({ code: 'git_failed' })
  })

  it('refuses an object above its limit and goes on', async () => {
    await using reader = createObjectReader(git, 1000)
    const results = await Promise.allSettled(['HEAD:1', 'HEAD:400', 'HEAD:2'].map((name) => reader.read(name)))
    expect(results.map((result) => (result.status === 'rejected' ? result.reason.code : result.status))).toEqual([
      'fulfilled',
      'file_too_large',
      'fulfilled',
    ])
  })

  it('answers no more once disposed', async () => {
    const reader = createObjectReader(git)
    expect((await reader.read('HEAD'))?.type).toBe('commit')
    expect((await reader.read(await runGit(root, 'rev-parse', 'HEAD^{tree}')))?.type).toBe('tree')
    const waiting = Promise.allSettled([reader.read('HEAD:3'), reader.read('HEAD:4')])
    await reader[Symbol.asyncDispose]()
    await reader[Symbol.asyncDispose]()
    expect(await waiting).toHaveLength(2)
    await expect(reader.read('HEAD')).rejects.toMatchObject({ code: 'git_failed' })
  })
})
