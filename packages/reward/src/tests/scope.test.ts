import { describe, expect, it } from 'vitest'
import { isScopeOf, scopesOf } from './scope.ts'

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
    ['.', '.::shop.PriceTest::passes', true],
    ['core', 'core::shop.PriceTest::passes', true],
    ['core', 'core/more::shop.PriceTest::passes', false],
    ['core', 'corex::shop.PriceTest::passes', false],
    ['core::shop.PriceTest', 'core::shop.PriceTest::passes', true],
    ['core::shop.PriceTest', 'core::shop.PriceTest$Inner::passes', true],
    ['core::shop.PriceTest', 'core::shop.PriceTestMore::passes', false],
    ['core::shop.PriceTest$Inner', 'core::shop.PriceTest::passes', false],
    ['core', 'core.api::shop.PriceTest::passes', false],
    ['Shop.Tests', 'Shop.Tests.Integration::Shop.PriceTests.Adds', false],
    ['example.com/m/pkg', 'example.com/m/pkg.v2::TestX', false],
    ['Shop.Tests', 'Shop.Tests::Shop.PriceTests.Adds(a: 1)', true],
  ]
  for (const [scope, id, holds] of rows)
    it(`${scope} ${holds ? 'holds' : 'does not hold'} ${id} [B19 X3]`, () => expect(isScopeOf(scope, id)).toBe(holds))
})

it('the scopes of a test are its file or module and what is named below it', () => {
  expect(scopesOf('core::shop.PriceTest::passes')).toEqual(['core', 'core::shop.PriceTest'])
  expect(scopesOf('tests/test_a.py::test')).toEqual(['tests/test_a.py'])
  expect(scopesOf('pkg.test_a.Case.test')).toEqual(['pkg', 'pkg.test_a', 'pkg.test_a.Case'])
})
