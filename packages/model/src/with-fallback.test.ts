import { R2eError } from '@r2e/spec'
import { errorAnswer, fakeModel, startModelServer } from '@r2e/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { asking, calling, faultOf } from './__fixtures__/calls.ts'
import { closedUrl, modelAt, serve } from './__fixtures__/servers.ts'
import { withFallback } from './with-fallback.ts'

const at = async (status: number, provider: string) =>
  (await serve(() => errorAnswer(status, 'No'), { provider })).model
const second = () => fakeModel({ name: 'fake/second', answer: () => ({ text: 'second' }) })

describe('a chain', () => {
  for (const status of [402, 429, 500])
    it(`asks the next after ${status}, and says who answered`, async () => {
      const chain = withFallback(await at(500, 'b'), second())(await at(status, 'a'))
      expect(await chain.complete(asking('a'), calling())).toMatchObject({ text: 'second', model: 'fake/second' })
      expect(chain.name).toBe('a/model')
    })

  for (const status of [400, 401, 404, 413])
    it(`does not ask the next after ${status}`, async () => {
      const next = second()
      await faultOf(withFallback(next)(await at(status, 'a')).complete(asking('a'), calling()))
      expect(next.calls).toEqual([])
    })

  it('asks nobody else after an abort, whatever its reason', async () => {
    const [next, stop] = [second(), new AbortController()]
    const { model } = await serve(() => ({ kind: 'stall', after: 'headers' }))
    const reason = new R2eError('task_time_out', 'transient', 'enough')
    setTimeout(() => stop.abort(reason), 50)
    await expect(withFallback(next)(model).complete(asking('a'), calling({ signal: stop.signal }))).rejects.toBe(reason)
    expect(next.calls).toEqual([])
  })

  it('says what each answered where none does', async () => {
    const fault = await faultOf(withFallback(await at(429, 'b'))(await at(500, 'a')).complete(asking('a'), calling()))
    expect([fault.code, fault.fault]).toEqual(['model_busy', 'transient'])
    expect(fault.message).toMatch(/^no model of the chain answers: a\/model .*500.*; b\/model .*429/)
  })

  it('sends each key to its own endpoint alone [M3]', async () => {
    const environment = { KEY_A: 'sk-a-1234567890', KEY_B: 'sk-b-1234567890' }
    const open = async (name: 'A' | 'B', status: number) => {
      const server = await startModelServer({
        answer: () => (status < 300 ? { kind: 'reply' } : errorAnswer(status, 'No')),
      })
      onTestFinished(() => server[Symbol.asyncDispose]())
      return { server, model: modelAt(server.url, { apiKeyEnv: `KEY_${name}`, environment }) }
    }
    const [a, b] = [await open('A', 500), await open('B', 200)]
    await withFallback(b.model)(a.model).complete(asking('a'), calling())
    expect([a, b].map(({ server }) => server.received.map(({ headers }) => headers.authorization))).toEqual([
      ['Bearer sk-a-1234567890'],
      ['Bearer sk-b-1234567890'],
    ])
  })

  it('probes every model, and names the one that cannot answer', async () => {
    const url = await closedUrl()
    const probe = await withFallback(modelAt(url))(second()).probe(calling().signal)
    expect(probe).toMatchObject({ ok: false, code: 'model_unreachable', detail: expect.stringContaining(url) })
    const both = await withFallback(fakeModel({ answer: () => ({}) }))(second()).probe(calling().signal)
    expect(both).toEqual({ ok: true, detail: 'fake/second answers, fake/model answers' })
  })

  it('has at most three fallbacks, and an identity of all', () => {
    const others = [1, 2, 3].map((number) => fakeModel({ name: `fake/${number}`, answer: () => ({}) }))
    expect(withFallback(...others)(second()).identity.chain).toHaveLength(4)
    expect(() => withFallback(...others, second())).toThrow('4 fallback models')
    const alone = second()
    expect(withFallback()(alone)).toBe(alone)
  })
})
