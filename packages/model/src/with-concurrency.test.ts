import { fakeModel } from '@r2e/testing'
import { describe, expect, it } from 'vitest'
import { asking, calling } from './__fixtures__/calls.ts'
import { withConcurrency } from './with-concurrency.ts'

const ticks = async (count: number) => {
  for (let i = 0; i < count; i++) await new Promise(setImmediate)
}

describe('calls at one time', () => {
  it('are never more than the limit, and all are answered in the order of asking', async () => {
    const seen = { now: 0, most: 0, order: [] as string[] }
    const inner = fakeModel({
      async answer({ messages }) {
        seen.now++
        seen.most = Math.max(seen.most, seen.now)
        seen.order.push(messages[0]!.text!)
        await ticks(3)
        seen.now--
        return { text: 'a' }
      },
    })
    const model = withConcurrency(2)(inner)
    const names = ['a', 'b', 'c', 'd', 'e']
    await Promise.all(names.map((name) => model.complete(asking(name), calling())))
    expect(seen).toEqual({ now: 0, most: 2, order: names })
  })

  it('leave a place that a failed or aborted call had, and one that waits may give up', async () => {
    const inner = fakeModel({
      answer: (_, index) => (index === 0 ? Promise.reject(new Error('broken')) : { text: 'b' }),
    })
    const model = withConcurrency(1)(inner)
    const stop = new AbortController()
    const calls = [
      model.complete(asking('a'), calling()),
      model.complete(asking('b'), calling({ signal: stop.signal })),
      model.complete(asking('c'), calling()),
    ]
    stop.abort(new Error('stopped'))
    const ends = await Promise.allSettled(calls)
    expect(ends.map((end) => (end.status === 'rejected' ? String(end.reason) : end.value.text))).toEqual([
      'Error: broken',
      'Error: stopped',
      'b',
    ])
    expect((await model.complete(asking('d'), calling())).text).toBe('b')
  })
})
