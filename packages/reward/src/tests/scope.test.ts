import { describe, expect, it } from 'vitest'
import { isScopeOf } from './scope.ts'

describe('a scope', () => {
  const rows: readonly [scope: string, id: string, holds: boolean][] = [
    ['a.py', 'a.py::t', true],
    ['tests', 'tests/a.py::t', true],
    ['pkg', 'pkg/sub::TestX', false],
    ['pkg.mod', 'pkg.mod.Case.test', true],
    ['tests/words_test', 'tests/words_test::Suite.Name/0', true],
    ['tests/words_test::Suite', 'tests/words_test::Suite.Name/0', true],
    ['tests/words_test::Suite', 'tests/words_test::SuiteOfOthers.Name', false],
    ['shapes::tap', 'shapes::tap > adds', true],
    ['shapes::tap', 'shapes::tap with blanks', false],
    ['ctest::one', 'ctest::one', true],
    ['ctest::one', 'ctest::one_more', false],
    ['.', 'ctest::one', true],
    ['.', 'tests/words_test::Suite.Name', true],
  ]
  for (const [scope, id, holds] of rows)
    it(`${scope} holds ${holds ? '' : 'not '}${id} [B19]`, () => expect(isScopeOf(scope, id)).toBe(holds))
})
