import { expect, it } from 'vitest'
import { pathPattern } from './path-pattern.ts'

const rows: readonly [pattern: string, path: string, matches: boolean][] = [
  ['packages/*', 'packages/a', true],
  ['packages/*', 'packages/a/b', false],
  ['./packages/*/', 'packages/a', true],
  ['packages/**', 'packages/a/b', true],
  ['test/**/*.test.js', 'test/a.test.js', true],
  ['test/**/*.test.js', 'test/a/b/c.test.js', true],
  ['test/**/*.test.js', 'test/a/b/c.js', false],
  ['**/a/**/b', 'x/a/y/a/z/b', true],
  ['{src/a,test}/*.{js,mjs}', 'src/a/b.mjs', true],
  ['{src/a,test}/*.{js,mjs}', 'src/b.js', false],
  ['{a,{b,c}}.js', 'c.js', true],
  ['a?.js', 'ab.js', true],
  ['a+(b).[jt]s', 'a+(b).[jt]s', true],
  ['{', '{', true],
]
for (const [pattern, path, matches] of rows)
  it(`${pattern} ${matches ? 'matches' : 'does not match'} ${path}`, () => {
    expect(pathPattern(pattern)(path)).toBe(matches)
  })

it('takes little time for hostile patterns', () => {
  const deep = 'a/'.repeat(2000)
  for (const pattern of ['**/'.repeat(12), 'a/**/'.repeat(6), '{a,b}'.repeat(50), '*a'.repeat(50), '{'.repeat(10_000)])
    expect(pathPattern(`${pattern}c`)(`${deep}${'a'.repeat(250)}`)).toBe(false)
})
