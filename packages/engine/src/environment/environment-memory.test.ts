import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Recipe } from '@r2e/spec'
import { afterAll, expect, it } from 'vitest'
import { openEnvironmentMemory } from './environment-memory.ts'

const folder = await mkdtemp(join(tmpdir(), 'r2e-memory-'))
afterAll(() => rm(folder, { recursive: true }))

const recipes = ['3.8', '3.11', '3.13'].map((version) => ({ baseImage: `python:${version}`, origin: [] }))
const [old, middle, newest] = recipes as unknown as [Recipe, Recipe, Recipe]
const all = [old, middle, newest]

it('puts recipes that are known not to build behind the others, in the next run too', async () => {
  const memory = openEnvironmentMemory(folder, false)
  expect(await memory.order(all)).toEqual(all)
  await memory.broken(all, [old])
  expect(await memory.order(all)).toEqual([middle, newest, old])
  expect(await openEnvironmentMemory(folder, false).order(all)).toEqual([middle, newest, old])
})

it('knows a recipe by what it builds, and nothing of another set of recipes', async () => {
  const memory = openEnvironmentMemory(folder, false)
  const renamed = all.map((recipe) => ({ ...recipe, origin: [{ fact: 'packages', file: 'setup.py' }] }))
  expect((await memory.order(renamed)).map(({ baseImage }) => baseImage)).toEqual(
    [middle, newest, old].map(({ baseImage }) => baseImage),
  )
  expect(await memory.order([old, newest])).toEqual([old, newest])
})

it('takes recipes as they come where it is not asked, and where its file is damaged', async () => {
  expect(await openEnvironmentMemory(folder, true).order(all)).toEqual(all)
  for (const name of await readdir(folder)) await writeFile(join(folder, name), '{"broken"')
  expect(await openEnvironmentMemory(folder, false).order(all)).toEqual(all)
})
