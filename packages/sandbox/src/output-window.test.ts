import { describe, expect, it } from 'vitest'
import { createOutputWindow } from './output-window.ts'

function keep(limit: number, whole: string, step: number): string {
  const window = createOutputWindow(limit)
  for (let i = 0; i < whole.length; i += step) window.push(Buffer.from(whole.slice(i, i + step)))
  return Buffer.from(window.bytes()).toString()
}

describe('createOutputWindow', () => {
  const text = 'abcdefghijklmnopqrstuvwxyz'

  it('keeps everything up to the limit', () => {
    for (const limit of [26, 27, 100]) for (const step of [1, 3, 26]) expect(keep(limit, text, step)).toBe(text)
  })

  it('keeps head and tail, and says how much is missing, however the chunks fall', () => {
    for (const step of [1, 2, 5, 7, 26]) expect(keep(10, text, step)).toBe('abcde\n[16 bytes left out]\nvwxyz')
    for (const step of [1, 2, 5, 7, 26]) expect(keep(7, text, step)).toBe('abcd\n[19 bytes left out]\nxyz')
    expect(keep(1, text, 4)).toBe('a\n[25 bytes left out]\n')
    expect(keep(0, text, 4)).toBe('\n[26 bytes left out]\n')
  })

  it('says whether bytes were left out', () => {
    const window = createOutputWindow(4)
    window.push(Buffer.from('abcd'))
    expect(window.truncated).toBe(false)
    window.push(Buffer.from('e'))
    expect(window.truncated).toBe(true)
  })

  it('stays small when a flood arrives byte by byte', () => {
    const window = createOutputWindow(1 << 20)
    const before = process.memoryUsage().arrayBuffers
    const byte = Buffer.from('x')
    for (let i = 0; i < 3_000_000; i++) window.push(byte)
    expect(window.bytes().length).toBeLessThan((1 << 20) + 64)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 << 20)
  })
})
