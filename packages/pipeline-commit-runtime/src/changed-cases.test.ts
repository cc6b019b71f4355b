import { languagePacks } from '@r2e/languages'
import { encodeUtf8, type FileChange, type Tree } from '@r2e/spec'
import { describe, expect, it } from 'vitest'
import { hasChangedCase } from './changed-cases.ts'

const treeOf = (path: string, text: string | undefined) =>
  ({ read: async (asked: string) => (asked === path && text !== undefined ? encodeUtf8(text) : undefined) }) as Tree

function changed(path: string, old: string | undefined, now: string): Promise<boolean> {
  const change = { path, oldPath: path, kind: 'modified', oldBlob: old, newBlob: now } as FileChange
  return hasChangedCase({
    tests: [change],
    inline: [],
    before: treeOf(path, old),
    after: treeOf(path, now),
    languages: languagePacks,
  })
}

const python = (row: string, comment = '') =>
  `import pytest\n\n@pytest.mark.parametrize("a", [1${row}])\ndef test_a(a):\n    ${comment}assert a\n`
const go = (row: string, comment = '') =>
  `package a\n\nfunc TestA(t *testing.T) {\n\tfor _, c := range []int{1${row}} {\n\t\t${comment}check(t, c)\n\t}\n}\n`
const javascript = (row: string, comment = '') =>
  `describe('a', () => {\n  const rows = [1${row}]\n  for (const row of rows) {\n    ${comment}test(row.toString(), () => check(row))\n  }\n})\n`

describe('hasChangedCase', () => {
  it('sees a new function [A3]', async () => {
    expect(await changed('tests/test_a.py', python(''), `${python('')}\n\ndef test_b():\n    pass\n`)).toBe(true)
    expect(await changed('a_test.go', go(''), `${go('')}\nfunc TestB(t *testing.T) {}\n`)).toBe(true)
    expect(await changed('tests/test_a.py', undefined, python(''))).toBe(true)
    expect(await changed('integration-tests/rows.py', undefined, python(''))).toBe(true)
  })

  it('sees a new parameter row and a new table case [A3]', async () => {
    expect(await changed('tests/test_a.py', python(''), python(', 2'))).toBe(true)
    expect(await changed('a_test.go', go(''), go(', 2'))).toBe(true)
    expect(await changed('test/utils/a.js', javascript(''), javascript(', 2'))).toBe(true)
  })

  it('sees a changed snapshot and other data [A3]', async () => {
    expect(await changed('tests/__snapshots__/a.snap', 'a', 'b')).toBe(true)
    expect(await changed('tests/data/a.json', '{}', '{"a":1}')).toBe(true)
  })

  it('does not count comments, blanks, removals or helpers [A3]', async () => {
    expect(await changed('tests/test_a.py', python(''), python('', '# why\n    '))).toBe(false)
    expect(await changed('a_test.go', go(''), go('', '// why\n\t\t'))).toBe(false)
    expect(await changed('test/a.js', javascript(''), javascript('', '// why\n    '))).toBe(false)
    expect(await changed('tests/test_a.py', `${python('')}\n\ndef test_b():\n    pass\n`, python(''))).toBe(false)
    expect(await changed('tests/conftest.py', 'a = 1\n', 'a = 2\n')).toBe(false)
  })
})
