import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { inOrder } from './in-order.ts'

async function* numbers(count: number, made: number[] = []) {
  for (let n = 0; n < count; n++) {
    made.push(n)
    yield n
  }
}

describe('inOrder', () => {
  it('gives results in the order of the items, however long each takes', async () => {
    const slowFirst = async (n: number) => {
      await sleep(n === 0 ? 40 : 1)
      return n
    }
    const results: number[] = []
    for await (const n of inOrder(numbers(20), slowFirst, 4)) results.push(n)
    expect(results).toEqual([...Array(20).keys()])
  })

  it('works on no more than the given number at one time', async () => {
    let now = 0
    let most = 0
    const work = async () => {
      most = Math.max(most, ++now)
      await sleep(2)
      now--
    }
    for await (const _ of inOrder(numbers(20), work, 3));
    expect(most).toBe(3)
  })

  it('keeps workers busy behind an item that takes long', async () => {
    const ended: number[] = []
    const work = async (n: number) => {
      await sleep(n === 0 ? 60 : 1)
      ended.push(n)
      return n
    }
    for await (const _ of inOrder(numbers(12), work, 2));
    expect(ended.indexOf(0)).toBeGreaterThan(8)
  })

  it('begins nothing more once the consumer stops, and ends the source', async () => {
    const made: number[] = []
    const begun: number[] = []
    const work = async (n: number) => {
      begun.push(n)
      await sleep(2)
      return n
    }
    for await (const n of inOrder(numbers(1000, made), work, 2)) if (n === 3) break
    const count = begun.length
    await sleep(20)
    expect(begun.length).toBe(count)
    expect(made.length).toBeLessThan(20)
  })

  it('throws what a work throws, at its place', async () => {
    const work = async (n: number) => {
      if (n === 2) throw new Error('second')
      return n
    }
    const seen: number[] = []
    const all = async () => {
      for await (const n of inOrder(numbers(9), work, 4)) seen.push(n)
    }
    await expect(all()).rejects.toThrow('second')
    expect(seen).toEqual([0, 1])
  })
})
