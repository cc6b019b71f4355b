import { expect, it } from 'vitest'
import { parseJson } from './json.ts'

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

it('reads what is nested deeply, and nothing that is nested without end', () => {
  expect(parseJson(nested(20_000))).toHaveLength(1)
  for (const text of [nested(20_001), '{"a":'.repeat(20_001), '['.repeat(30_000_000)])
    expect(() => parseJson(text)).toThrow(/nested deeper than 20000 levels/)
})

it('counts no bracket inside a string', () => {
  const text = JSON.stringify(['['.repeat(30_000), `\\"${'{'.repeat(30_000)}`, '\\\\', 'end'])
  expect(parseJson(text)).toEqual(JSON.parse(text))
  expect(() => parseJson('["[')).toThrow(SyntaxError)
})
