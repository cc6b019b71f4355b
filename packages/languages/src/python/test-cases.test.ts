import { describe, expect, it } from 'vitest'
import { pythonOwnsTest } from './owns-test.ts'
import { pythonTestCases } from './test-cases.ts'

const source = `
"""Module
def test_not_me(): pass
"""
import pytest
CASES = [1, 2]  # rows
OTHER: int = 3

@pytest.mark.parametrize(
    "value",
    [1, "a # b"],  # comment
)
def test_rows(value):
    """Docstring."""
    # comment
    assert value   ==   1

class TestOuter:
    pytestmark = pytest.mark.slow
    ROWS = [7, 8]
    class TestInner(Base):
        async def test_deep(self): assert CASES
        def helper(self): pass

    if True:
        def test_guarded(self):
            def test_nested(): pass
            text = '''
def test_in_string(): pass
'''
            assert text
    def test_table(self): assert self.ROWS
    LATE = {}

def not_a_test(): pass
def test_after(): x = (1,
    2)
`

const textOf = (code: string, name: string) => pythonTestCases(code).find((item) => item.name === name)?.text

describe('test cases of Python', () => {
  it('are functions and methods, named as their ids end', () => {
    expect(pythonTestCases(source).map(({ name }) => name)).toEqual([
      'test_rows',
      'TestOuter::TestInner::test_deep',
      'TestOuter::test_guarded',
      'TestOuter::test_table',
      'test_after',
    ])
  })

  it('hold code without comments and docstrings', () => {
    expect(textOf(source, 'test_rows')).toBe(
      '@pytest.mark.parametrize( "value", [1, "a # b"], )\ndef test_rows(value):\nassert value == 1',
    )
  })

  const edits: readonly [title: string, from: string, to: string, name: string, changes: boolean][] = [
    ['a comment', '# comment\n', '# other\n', 'test_rows', false],
    ['a docstring', 'Docstring.', 'Other.', 'test_rows', false],
    ['blanks', '   ==   ', ' == ', 'test_rows', false],
    ['a parameter row', '[1, "a # b"]', '[1, "a # b", 3]', 'test_rows', true],
    ['a string', 'a # b', 'a # c', 'test_rows', true],
    ['a table that the case names', '[1, 2]', '[1, 2, 3]', 'TestOuter::TestInner::test_deep', true],
    ['a table that it does not name', '[1, 2]', '[1, 2, 3]', 'test_after', false],
    ['a table of its class that the case names', '[7, 8]', '[7, 8, 9]', 'TestOuter::test_table', true],
    ['a table of its class that it does not name', '[7, 8]', '[7, 8, 9]', 'TestOuter::test_guarded', false],
    ['the marks of an outer class', 'mark.slow', 'mark.fast', 'TestOuter::TestInner::test_deep', true],
    ['another test', '2)', '3)', 'test_rows', false],
  ]
  for (const [title, from, to, name, changes] of edits)
    it(`${changes ? 'change' : 'do not change'} with ${title} [A3]`, () => {
      const edited = source.replace(from, to)
      expect(edited).not.toBe(source)
      expect(textOf(edited, name) !== textOf(source, name)).toBe(changes)
    })

  it('are not taken for classes where a name begins like one', () => {
    expect(pythonTestCases('classes = [1]\ndef test_a(): assert classes\n')).toEqual([
      { name: 'test_a', text: 'def test_a(): assert classes\nclasses = [1]' },
    ])
  })

  it('are the same for CRLF and tabs', () => {
    const unix = 'class T:\n\tdef test_a(self):\n\t\tassert 1\n'
    expect(pythonTestCases(unix.replaceAll('\n', '\r\n'))).toEqual(pythonTestCases(unix))
    expect(pythonTestCases(unix)[0]!.name).toBe('T::test_a')
  })

  it('take linear time on hostile text', () => {
    for (const unit of ['"', "'''", '(', '\\', '#\n', '@a\n', 'def test_a(): ', 'class A:\n ', 'r', '= '])
      pythonTestCases(unit.repeat(400_000 / unit.length))
  }, 10_000)
})

describe('a Python test id', () => {
  const files = [{ path: 'tests/unit/test_a.py', text: '' }]
  const rows: Readonly<Record<string, boolean>> = {
    'tests/unit/test_a.py::TestC::test_m[a b]': true,
    'tests/unit/test_a.py': true,
    'tests/test_a.py::test_m': false,
    'tests/unit/test_ab.py::test_m': false,
    'tests.unit.test_a.Case.test_m': true,
    'unit.test_a.Case.test_m': true,
    'test_a.Case.test_m': true,
    'tests.unit.test_ab.Case.test_m': false,
    'other.test_b.Case.test_a': false,
  }
  for (const [id, owned] of Object.entries(rows))
    it(`${id} is ${owned ? '' : 'not '}from the hidden file [B19]`, () => expect(pythonOwnsTest(files, id)).toBe(owned))
})
