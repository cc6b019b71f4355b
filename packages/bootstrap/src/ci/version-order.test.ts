import { describe, expect, it } from 'vitest'
import { compareVersions, newestVersion } from './version-order.ts'

const newest: readonly [versions: readonly string[], chosen: string | undefined][] = [
  [['3.9', '3.10', '3.2'], '3.10'],
  [['3.13', '3.14-dev', '3.15.0-rc.1', '3.14t', 'pypy-3.11'], '3.13'],
  [['8', '25', '17', '26-ea'], '25'],
  [['1.22.x', '1.9.x'], '1.22.x'],
  [['nightly', '1.86.0', 'stable'], 'stable'],
  [['18', 'lts/*'], 'lts/*'],
  [['pypy-3.9', 'nightly'], 'pypy-3.9'],
  [[], undefined],
]

describe('the newest version', () => {
  for (const [versions, chosen] of newest)
    it(`of ${versions.join(', ') || 'none'} is ${chosen}`, () => expect(newestVersion(versions)).toBe(chosen))
})

const orders: readonly [a: string, b: string, order: number][] = [
  ['3.9', '3.10', -1],
  ['3.1', '3.10', -1],
  ['3', '3.0', 0],
  ['3.10.1', '3.10', 1],
  ['pypy-3.11', '2.7', -1],
]

describe('the order of versions', () => {
  for (const [a, b, order] of orders)
    it(`is by their numbers for ${a} and ${b}`, () => expect(Math.sign(compareVersions(a, b))).toBe(order))
})
