import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Recipe } from '@r2e/spec'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { takeLock } from '../../../engine/src/journal/process-lock.ts'
import { PLACE, RECORD, storedRecipe } from './__fixtures__/stored.ts'
import { imageTag, optionsName } from './environment-place.ts'
import { type EnvironmentStore, openEnvironmentStore } from './environment-store.ts'

let directory: string
let store: EnvironmentStore
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'r2e-store-'))
  store = openEnvironmentStore(directory, takeLock)
})
afterEach(() => rm(directory, { recursive: true, force: true }))

const KEY = 'a'.repeat(24)
const names = async () => (await readdir(directory, { recursive: true })).sort()
const writer = fileURLToPath(new URL('__fixtures__/writer.ts', import.meta.url))
const start = (...words: string[]) =>
  spawn(process.execPath, ['--conditions=@r2e/source', writer, directory, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })

describe('the store of environments', () => {
  it('answers what was saved, and nothing for another commit, other options or another key', async () => {
    await store.save(PLACE, RECORD, '{}\n')
    await store.saveRecipe(storedRecipe(KEY))
    expect(await store.find(PLACE)).toEqual(RECORD)
    expect(await store.recipe(KEY)).toEqual(storedRecipe(KEY))
    expect(await store.find({ ...PLACE, commit: `${PLACE.commit.slice(0, 12)}${'0'.repeat(28)}` })).toBeUndefined()
    expect(await store.find({ ...PLACE, options: { ...PLACE.options, base_image: 'other' } })).toBeUndefined()
    expect(await store.recipe('b'.repeat(24))).toBeUndefined()
    expect(await store.recipe('../recipes')).toBeUndefined()
    expect(await names()).toEqual([
      'acme__calc',
      `acme__calc/0123456789ab__${optionsName(PLACE.options)}`,
      ...['Dockerfile', 'bootstrap.json', 'transcript.jsonl'].map(
        (name) => `acme__calc/0123456789ab__${optionsName(PLACE.options)}/${name}`,
      ),
      'recipes',
      `recipes/${KEY}`,
      ...['Dockerfile', 'proof.json', 'recipe.json'].map((name) => `recipes/${KEY}/${name}`),
    ])
    const [listed] = await store.list()
    expect(listed).toMatchObject({ id: `acme__calc/0123456789ab__${optionsName(PLACE.options)}`, record: RECORD })
  })

  it('takes what is damaged or half written for absent [W29]', async () => {
    const damages: readonly ((path: string) => Promise<unknown>)[] = [
      (path) => writeFile(path, ''),
      async (path) => writeFile(path, (await readFile(path)).subarray(0, 40)),
      (path) => writeFile(path, '{}'),
      (path) => writeFile(path, 'null'),
      (path) => writeFile(path, Uint8Array.of(0xff, 0xfe, 0)),
      (path) => rm(path),
    ]
    for (const damage of damages) {
      for (const name of ['recipe.json', 'proof.json']) {
        await store.saveRecipe(storedRecipe(KEY))
        await damage(join(directory, 'recipes', KEY, name))
        expect(await store.recipe(KEY)).toBeUndefined()
      }
      await store.save(PLACE, RECORD, '')
      await damage(join(store.pathOf(PLACE), 'bootstrap.json'))
      expect([await store.find(PLACE), await store.list()]).toEqual([undefined, []])
    }
    await store.saveRecipe(storedRecipe(KEY))
    const recipe = { ...storedRecipe(KEY).recipe, baseImage: 'swapped' } satisfies Recipe
    await writeFile(join(directory, 'recipes', KEY, 'recipe.json'), JSON.stringify(recipe))
    expect(await store.recipe(KEY)).toBeUndefined()
  })

  it('is whole again after a process was killed at any point of a write', async () => {
    await store.saveRecipe(storedRecipe(KEY))
    for (let round = 0; round < 12; round++) {
      const child = start('loop', KEY)
      await once(child.stdout!, 'data')
      await sleep(round * 7)
      child.kill('SIGKILL')
      await once(child, 'exit')
      const found = await store.recipe(KEY)
      if (found) expect(found.recipe.setup).toHaveLength(1)
      await store.saveRecipe(storedRecipe(KEY))
      expect(await store.recipe(KEY)).toEqual(storedRecipe(KEY))
      expect(await readdir(join(directory, 'recipes'))).toEqual([KEY])
    }
  }, 60_000)

  it('shows a reader whole entries while another process replaces them', async () => {
    await store.saveRecipe(storedRecipe(KEY))
    const child = start('loop', KEY)
    await once(child.stdout!, 'data')
    const seen = new Set<string>()
    for (let read = 0; read < 300; read++) {
      const found = await store.recipe(KEY)
      if (!found) continue
      expect(found.dockerfile).toBe(`FROM ${found.recipe.baseImage}\n`)
      seen.add(found.recipe.setup[0]?.run ?? 'first')
    }
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(seen.size).toBeGreaterThan(1)
  }, 60_000)

  it('lets one process at a time make an environment; the lock of one that was killed passes on [W29]', async () => {
    const child = start('hold')
    await once(child.stdout!, 'data')
    let waited = 0
    const taking = store.lock(PLACE, { signal: AbortSignal.timeout(20_000), onWait: () => waited++ })
    expect(await Promise.race([taking, sleep(300, 'waiting')])).toBe('waiting')
    child.kill('SIGKILL')
    await (await taking)()
    expect(waited).toBe(1)
    const release = await store.lock(PLACE, { signal: AbortSignal.timeout(20_000), onWait: () => waited++ })
    const stop = AbortSignal.timeout(200)
    await expect(store.lock(PLACE, { signal: stop, onWait: () => {} })).rejects.toMatchObject({ name: 'TimeoutError' })
    await release()
    expect(waited).toBe(1)
  }, 30_000)

  it('forgets an environment, and recipes that none has any more', async () => {
    await store.save(PLACE, RECORD, '')
    await store.saveRecipe(storedRecipe(KEY))
    await store.saveRecipe(storedRecipe('b'.repeat(24)))
    await store.savePreferred('c'.repeat(24), 'b'.repeat(24))
    await store.savePreferred('d'.repeat(24), KEY)
    expect(await store.removeUnused()).toBe(1)
    expect([await store.preferred('c'.repeat(24)), (await store.preferred('d'.repeat(24)))?.key]).toEqual([
      undefined,
      KEY,
    ])
    for (const environment of await store.list()) await store.remove(environment)
    expect(await store.removeUnused()).toBe(1)
    expect([await store.list(), existsSync(store.pathOf(PLACE))]).toEqual([[], false])
  })

  it('lists nothing of what it did not write', async () => {
    await mkdir(join(directory, 'acme__calc', 'notes'), { recursive: true })
    await mkdir(join(directory, 'other'))
    await writeFile(join(directory, 'acme__file'), '')
    expect(await store.list()).toEqual([])
    expect(await openEnvironmentStore(join(directory, 'none'), takeLock).list()).toEqual([])
  })
})

describe('the name of an environment', () => {
  it('has the options that were given, and no others', () => {
    const options = { platform: 'linux/amd64' }
    expect(optionsName({ ...options, base_image: null, setup: [], test_cmd: null })).toBe(optionsName(options))
    const others = [
      { platform: 'linux/arm64' },
      { ...options, base_image: 'a' },
      { ...options, languages_hint: ['go'] },
      { ...options, image_registry: 'ghcr.io/a' },
      { ...options, user_dockerfile: 'sha256:1' },
      { ...options, user_dockerfile: 'sha256:2' },
      { ...options, setup: ['true'] },
      { ...options, test_cmd: 'make' },
    ]
    expect(new Set([options, ...others].map(optionsName)).size).toBe(others.length + 1)
    expect(optionsName(options)).toMatch(/^[0-9a-f]{8}$/)
  })

  it('is a name that an image may have', () => {
    const name = `0123456789ab-${optionsName(PLACE.options)}`
    expect(imageTag(PLACE)).toBe(`local/r2e-bootstrap/acme__calc:${name}`)
    const odd = {
      ...PLACE,
      owner: 'Acme-',
      name: '_Odd..Name.',
      options: { ...PLACE.options, image_registry: 'ghcr.io/Acme' },
    }
    expect(imageTag(odd)).toMatch(/^ghcr\.io\/acme\/acme__odd-name:0123456789ab-[0-9a-f]{8}$/)
  })
})
