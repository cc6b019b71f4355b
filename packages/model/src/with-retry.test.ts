import { errorAnswer, type ServerAnswer } from '@r2e/testing'
import { describe, expect, it } from 'vitest'
import { asking, calling, faultOf } from './__fixtures__/calls.ts'
import { closedUrl, modelAt, serve } from './__fixtures__/servers.ts'
import { withRetry } from './with-retry.ts'

/** Retries whose waits are noted instead of waited. */
function noting(random = 0) {
  const waits: number[] = []
  const sleep = async (wait: number, signal: AbortSignal) => {
    waits.push(wait)
    signal.throwIfAborted()
  }
  return { waits, layer: withRetry({ sleep, random: () => random }) }
}

const ready: ServerAnswer = { kind: 'reply', text: 'ready' }
const oops = errorAnswer(500, 'Oops')

async function against(answers: readonly ServerAnswer[], random?: number) {
  const { waits, layer } = noting(random)
  const { server, model } = await serve((_, index) => answers[index] ?? ready, { timeoutSec: 0.5 })
  return { server, waits, model: layer(model) }
}

describe('a retry', () => {
  const curable: Readonly<Record<string, ServerAnswer>> = {
    '408': errorAnswer(408, 'Late'),
    '409': errorAnswer(409, 'Conflict'),
    '429': errorAnswer(429, 'Slow down'),
    '500': oops,
    '503 of HTML': { kind: 'response', status: 503, headers: { 'content-type': 'text/html' }, body: '<html>' },
    'broken JSON': { kind: 'response', body: '{' },
    'no choices': { kind: 'response', body: { choices: [] } },
    'a cut connection': { kind: 'cut', after: 'half' },
    'a stall': { kind: 'stall', after: 'headers' },
  }
  for (const [title, answer] of Object.entries(curable))
    it(`follows ${title}`, async () => {
      const { server, model } = await against([answer])
      expect((await model.complete(asking('a'), calling())).text).toBe('ready')
      expect(server.received).toHaveLength(2)
    })

  for (const status of [400, 401, 402, 403, 404, 413, 422])
    it(`does not follow ${status}`, async () => {
      const { server, model } = await against([errorAnswer(status, 'No')])
      await faultOf(model.complete(asking('a'), calling()))
      expect(server.received).toHaveLength(1)
    })

  it('waits longer each time, and no more than six calls are made', async () => {
    const { server, model, waits } = await against(Array(9).fill(oops))
    expect((await faultOf(model.complete(asking('a'), calling()))).code).toBe('model_failed')
    expect(waits).toEqual([2000, 4000, 8000, 16_000, 32_000])
    expect(server.received).toHaveLength(6)
  })

  it('spreads the waits by chance, to half of each', async () => {
    const { model, waits } = await against([oops, oops], 0.5)
    await model.complete(asking('a'), calling())
    expect(waits).toEqual([1500, 3000])
  })

  it('waits as long as the endpoint asks, and by chance a tenth more', async () => {
    const busy = (headers: Record<string, string>) => errorAnswer(429, 'Slow down', { headers })
    const { model, waits } = await against([busy({ 'retry-after': '7' }), busy({ 'retry-after-ms': '50' })], 0.5)
    await model.complete(asking('a'), calling())
    expect(waits).toEqual([7350, 53])
  })

  it('is not made where the endpoint asks for more than two minutes', async () => {
    const { server, model, waits } = await against([
      errorAnswer(429, 'Tomorrow', { headers: { 'retry-after': '3600' } }),
    ])
    expect((await faultOf(model.complete(asking('a'), calling()))).code).toBe('model_busy')
    expect([waits, server.received.length]).toEqual([[], 1])
  })

  it('is not made for a call that is aborted, whatever it failed by', async () => {
    const stop = new AbortController()
    const { model, waits } = await against([oops])
    const aborting: typeof model.complete = (request, call) => model.complete(request, call)
    const work = aborting(asking('a'), calling({ signal: stop.signal }))
    stop.abort(new Error('enough'))
    await expect(work).rejects.toThrow('enough')
    expect(waits).toEqual([])
  })

  it('follows a probe that finds the endpoint busy, and not one that finds nothing there', async () => {
    const { model } = await against([oops, errorAnswer(429, 'Slow down')])
    expect(await model.probe(calling().signal)).toEqual({ ok: true, detail: 'custom/model answers' })
    const { layer, waits } = noting()
    const absent = layer(modelAt(await closedUrl()))
    expect(await absent.probe(calling().signal)).toMatchObject({ ok: false, code: 'model_unreachable' })
    expect(waits).toEqual([])
    await faultOf(absent.complete(asking('a'), calling()))
    expect(waits).toHaveLength(5)
  })
})
