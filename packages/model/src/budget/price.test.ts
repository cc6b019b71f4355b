import { describe, expect, it } from 'vitest'
import { costOf, parsePrice } from './price.ts'

describe('a price', () => {
  it('is written in USD for a million tokens, input and output', () => {
    expect(parsePrice(' 3 , 15.25')).toEqual({ input: 3_000_000, output: 15_250_000 })
    expect(parsePrice('0.000001,0')).toEqual({ input: 1, output: 0 })
  })

  for (const text of ['', '3', '3,', '3,15,1', '-3,15', 'a,b', '1e3,2', '3.1234567,1'])
    it(`is not "${text}"`, () => expect(() => parsePrice(text)).toThrow('is no price'))

  it('makes a cost that is rounded up, in 10⁻⁹ USD', () => {
    const price = parsePrice('3,15')
    expect(costOf({ inputTokens: 1_000_000, outputTokens: 1_000_000 }, price)).toBe(18e9)
    expect(costOf({ inputTokens: 1, outputTokens: 0 }, parsePrice('0.000001,0'))).toBe(1)
    expect(costOf({ inputTokens: 1, outputTokens: 1 }, parsePrice('0,0'))).toBe(0)
  })

  it('that is unknown makes no cost [M2]', () => {
    expect(costOf({ inputTokens: 1, outputTokens: 1 }, undefined)).toBeUndefined()
  })
})
