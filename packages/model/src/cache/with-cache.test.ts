import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LanguageModel, ModelRequest } from '@r2e/spec'
import { fakeModel } from '@r2e/testing'
import { describe, expect, it } from 'vitest'
import { asking, calling } from '../__fixtures__/calls.ts'
import { testFolder } from '../__fixtures__/folder.ts'
import { KEY, serve } from '../__fixtures__/servers.ts'
import { withCache } from './with-cache.ts'

const toolCalls = [{ id: 'a', name: 'run', arguments: '{', extra: { google: { n: [1, null] } } }]
const full = { text: 'a \u2028 b', toolCalls, end: 'tool_calls', usage: { inputTokens: 3, outputTokens: 2 } } as const

const filesBelow = async (directory: string) =>
  (await readdir(directory, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name))

describe('the cache', () => {
  it('answers a request that was answered before, also by another process, whole and for nothing', async () => {
    const directory = await testFolder()
    const inner = fakeModel({ answer: () => full })
    const first = await withCache({ directory })(inner).complete(asking('a'), calling())
    const second = await withCache({ directory })(inner).complete(
      asking('a'),
      calling({ phase: 'judge', task: 'other' }),
    )
    expect(inner.calls).toHaveLength(1)
    expect(first).toEqual({ ...full, model: 'fake/model', cached: false })
    expect(second).toEqual({ ...full, model: 'fake/model', cached: true, nanoUsd: 0 })
  })

  const base: ModelRequest = { ...asking('a'), temperature: 0.5 }
  const others: Readonly<Record<string, ModelRequest>> = {
    text: { ...base, messages: [{ role: 'user', text: 'b' }] },
    role: { ...base, messages: [{ role: 'system', text: 'a' }] },
    temperature: { ...base, temperature: 0.6 },
    limit: { ...base, maxOutputTokens: 51 },
    seed: { ...base, seed: 0 },
    sample: { ...base, sample: 1 },
    tool: { ...base, tools: [{ name: 'run', description: '', parameters: {} }] },
  }
  for (const [what, request] of Object.entries(others))
    it(`tells requests apart by their ${what}`, async () => {
      const inner = fakeModel({ answer: (_, index) => ({ text: String(index) }) })
      const model = withCache({ directory: await testFolder() })(inner)
      const replies = [base, request, base].map(async (one) => (await model.complete(one, calling())).text)
      expect(new Set(await Promise.all(replies)).size).toBe(2)
    })

  it('tells models apart by their identity, not by their name', async () => {
    const directory = await testFolder()
    const inner = fakeModel({ answer: (_, index) => ({ text: String(index) }) })
    const at = (endpoint: string): LanguageModel => withCache({ directory })({ ...inner, identity: { endpoint } })
    const texts = []
    for (const endpoint of ['a', 'b', 'a']) texts.push((await at(endpoint).complete(base, calling())).text)
    expect(texts).toEqual(['0', '1', '0'])
  })

  it('makes one call of equal requests at one time', async () => {
    const inner = fakeModel({ answer: async () => ({ text: 'a' }) })
    const model = withCache({ directory: await testFolder() })(inner)
    const replies = await Promise.all(Array.from({ length: 5 }, () => model.complete(base, calling())))
    expect([inner.calls.length, replies.filter(({ cached }) => cached).length]).toEqual([1, 4])
  })

  it('lets whoever waited for a call that failed call itself', async () => {
    const inner = fakeModel({
      answer: (_, index) => (index === 0 ? Promise.reject(new Error('aborted')) : { text: 'a' }),
    })
    const model = withCache({ directory: await testFolder() })(inner)
    const [first, second] = await Promise.allSettled([model.complete(base, calling()), model.complete(base, calling())])
    expect([first.status, second.status, inner.calls.length]).toEqual(['rejected', 'fulfilled', 2])
  })

  it('does not make an aborted call wait for the one that it would share', async () => {
    const inner = fakeModel({ answer: () => new Promise<never>(() => {}) })
    const model = withCache({ directory: await testFolder() })(inner)
    const stop = new AbortController()
    model.complete(base, calling())
    const second = model.complete(base, calling({ signal: stop.signal }))
    stop.abort(new Error('enough'))
    await expect(second).rejects.toThrow('enough')
  })

  for (const [what, content] of [
    ['cut', (text: string) => text.slice(0, -5)],
    ['empty', () => ''],
    ['of another version', (text: string) => text.replace('r2e.reply/1', 'r2e.reply/0')],
    ['of another shape', (text: string) => text.replace('"text"', '"texts"')],
  ] as const)
    it(`takes a file that is ${what} for none, and replaces it`, async () => {
      const directory = await testFolder()
      const inner = fakeModel({ answer: () => full })
      const model = withCache({ directory })(inner)
      await model.complete(base, calling())
      const [path] = await filesBelow(directory)
      const whole = await readFile(path!, 'utf8')
      await writeFile(path!, content(whole))
      expect((await model.complete(base, calling())).cached).toBe(false)
      expect(await filesBelow(directory)).toEqual([path])
      expect(await readFile(path!, 'utf8')).toBe(whole)
    })

  it('stores neither key nor request', async () => {
    const directory = await testFolder()
    const settings = { apiKeyEnv: 'MY_KEY', environment: { MY_KEY: KEY } }
    const { model } = await serve(() => ({ kind: 'reply', text: `it is ${KEY}` }), settings)
    await withCache({ directory })(model).complete(asking('question'), calling())
    const [path] = await filesBelow(directory)
    expect(await readFile(path!, 'utf8')).toMatchInlineSnapshot(
      `"{"schema":"r2e.reply/1","reply":{"text":"it is [secret]","toolCalls":[],"end":"stop","usage":{"inputTokens":10,"outputTokens":9},"model":"custom/model"}}"`,
    )
  })

  it('takes a text that ends in half a character', async () => {
    const inner = fakeModel({ answer: () => full })
    const model = withCache({ directory: await testFolder() })(inner)
    const replies = ['a \ud83d', 'a \ud83d'].map(async (text) => (await model.complete(asking(text), calling())).cached)
    expect(await Promise.all(replies)).toEqual([false, true])
  })

  it('does not answer a probe', async () => {
    const { model, server } = await serve(() => ({ kind: 'reply', text: 'ready' }))
    const cached = withCache({ directory: await testFolder() })(model)
    for (const _ of [1, 2]) await cached.probe(calling().signal)
    expect(server.received).toHaveLength(2)
  })
})
