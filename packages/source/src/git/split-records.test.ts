import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitRecords } from './split-records.ts'

const MARKER = Buffer.from('<mark>')

async function split(chunks: readonly Buffer[], limit = 1000) {
  const records: string[] = []
  async function* stream() {
    yield* chunks
  }
  for await (const { bytes, truncated } of splitRecords(stream(), MARKER, limit))
    records.push(`${bytes.toString('latin1')}${truncated ? '…' : ''}`)
  return records
}

describe('splitRecords', () => {
  it('cuts at markers wherever the chunks end', async () => {
    const piece = fc
      .stringMatching(/^[a<mrk>\n]{0,9}$/)
      .filter((text) => !text.includes('<mark>') && !`${text}<`.includes('<mark'))
    await fc.assert(
      fc.asyncProperty(fc.array(piece), fc.array(fc.nat(12), { minLength: 1 }), async (pieces, sizes) => {
        const whole = Buffer.from(pieces.map((text) => `<mark>${text}`).join(''))
        const chunks: Buffer[] = []
        for (let at = 0, i = 0; at < whole.length; i++) {
          const size = 1 + sizes[i % sizes.length]!
          chunks.push(whole.subarray(at, at + size))
          at += size
        }
        expect(await split(chunks)).toEqual(pieces)
      }),
      { numRuns: 300 },
    )
  })

  it('keeps no more than the limit of a record', async () => {
    const chunks = [Buffer.from('<mark>12345'), Buffer.from('67890<mark>abc')]
    expect(await split(chunks, 4)).toEqual(['1234…', 'abc'])
    expect(await split(chunks, 10)).toEqual(['1234567890', 'abc'])
  })
})
