import { expect, it } from 'vitest'
import { type Layer, mergeLayers, type Values } from './layer.ts'

const layer = (name: string, values: Values): Layer => ({ values, originOf: () => ({ kind: 'env', name }) })

it('merges key by key, the later layer first, lists whole', () => {
  const merged = mergeLayers([
    layer('file', { repo: { url: 'a', ref: 'b' }, list: [1, 2] }),
    layer('env', { repo: { ref: 'c' } }),
    layer('flag', { list: [3] }),
  ])
  expect(merged.values).toEqual({ repo: { url: 'a', ref: 'c' }, list: [3] })
  expect(Object.fromEntries(merged.origins)).toEqual({
    repo: { kind: 'env', name: 'env' },
    'repo.url': { kind: 'env', name: 'file' },
    'repo.ref': { kind: 'env', name: 'env' },
    list: { kind: 'env', name: 'flag' },
  })
})

it('never lets null or undefined override', () => {
  const merged = mergeLayers([
    layer('low', { a: { b: 1 }, c: 2 }),
    layer('high', { a: { b: null }, c: undefined, d: null }),
  ])
  expect(merged.values).toEqual({ a: { b: 1 }, c: 2 })
  expect(merged.origins.get('a.b')).toEqual({ kind: 'env', name: 'low' })
})

it('keeps a key named __proto__ as a plain key', () => {
  const hostile = JSON.parse('{"__proto__": {"polluted": 1}}') as Values
  const { values } = mergeLayers([layer('file', hostile)])
  expect(Object.hasOwn(values, '__proto__')).toBe(true)
  expect(({} as { polluted?: number }).polluted).toBeUndefined()
})
