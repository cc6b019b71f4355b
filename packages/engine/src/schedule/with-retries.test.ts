import { R2eError } from '@r2e/spec'
import { describe, expect, it } from 'vitest'
import { withRetries } from './with-retries.ts'

const transient = () => new R2eError('engine_gone', 'transient', 'the engine hung up')

describe('withRetries', () => {
  it('tries again after a transient fault [H3 F14]', async () => {
    let calls = 0
    const task = async () => {
      if (++calls === 1) throw transient()
      return calls
    }
    expect(await withRetries(task, new AbortController().signal)).toBe(2)
  })

  it('throws every other fault at once', async () => {
    let calls = 0
    const task = async () => {
      calls++
      throw new Error('a bug')
    }
    await expect(withRetries(task, new AbortController().signal)).rejects.toThrow('a bug')
    expect(calls).toBe(1)
  })

  it('stops waiting when the signal fires', async () => {
    const stop = new AbortController()
    const task = async () => {
      setTimeout(() => stop.abort(), 5)
      throw transient()
    }
    await expect(withRetries(task, stop.signal)).rejects.toThrow(/abort/i)
  })
})
