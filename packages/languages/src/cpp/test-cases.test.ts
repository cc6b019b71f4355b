import { describe, expect, it } from 'vitest'
import { cppOwnsTest } from './owns-test.ts'
import { cppTestCases } from './test-cases.ts'

const gtest = `#include <gtest/gtest.h>
// TEST(Commented, Out) {}
/* TEST(Blocked, Out) {} */
#define MY_TEST(suite, name) \\
  TEST(suite, name) { run(); }
const char *text = "TEST(In, String) {}";
const char *raw = R"x(TEST(In, Raw) { )" )x";
TEST(Plain, Adds) {
  EXPECT_EQ(1'000, add("}", '{'));  // a brace }
}
TEST_F(Fixture,
       Breaks) { if (x) { y(); } }
TEST_P(Rows, AreShort) {}
INSTANTIATE_TEST_SUITE_P(Small, Rows, testing::Values(1, 2));
TYPED_TEST(Typed, Holds) {}
TYPED_TEST_SUITE(Typed, Types);
int contest(int a) { return a; }
`
const catch2 = `TEST_CASE("sums, with \\"quotes\\"", "[math]") { SECTION("a") {} }
TEST_CASE_METHOD(Fixture, "in a fixture") {}
TEMPLATE_TEST_CASE("templated", "", char, int) {}
SCENARIO("a story") {}
TEST_SUITE("suite") { TEST_CASE("inner") {} }
BOOST_AUTO_TEST_CASE(boosted) {}
`
const plain = `#include <assert.h>
static void adds_two(void) { assert(1); }
static void test_subtracts(void)
{
  assert(2);
}
static int helper(void) { return 0; }
int main(void) { RUN_TEST(adds_two); test_subtracts(); return helper(); }
`
const tables = `#include <gtest/gtest.h>
#if defined(X) && \
  Y
static const int early[] = {0};
#endif
struct Row { int in; int out; };
static int twice(int a) { int kLocal = 2; return kLocal * a; }
namespace a { namespace {
const Row kRows[2] = {{1, 2}, {3, 6}};
std::vector<int> kList{7, 8};
const char *kText = "; {";
} }
template <typename T = int> auto half(T a) -> int { return a; }
bool operator==(Row a, Row b) { return a.in == b.in; }
using Kept = int;
extern "C" {
int c_rows[] = {5};
}
int unset;
enum Kind { kSmall };
INSTANTIATE_TEST_SUITE_P(Small, Rows, testing::ValuesIn(kRows));
TEST(Rows, Hold) { for (auto &row : a::kRows) check(row, early); }
TEST(List, Holds) { check(kList, kText, c_rows, kLocal, unset, kSmall); }
static const int late[] = {9};
TEST(Late, Holds) { check(late); }
`
const names = (path: string, source: string) => cppTestCases(path, source).map(({ name }) => name)
const textOf = (source: string, name: string) =>
  cppTestCases('a_test.cc', source).find((item) => item.name === name)?.text

describe('test cases of C and C++', () => {
  const rows: readonly [title: string, path: string, source: string, expected: string[]][] = [
    [
      'of GoogleTest',
      'a_test.cc',
      gtest,
      ['Plain.Adds', 'Fixture.Breaks', 'Rows.AreShort', 'Small/Rows', 'Typed.Holds'],
    ],
    [
      'of Catch2, doctest and Boost.Test',
      'a_test.cpp',
      catch2,
      ['sums, with "quotes"', 'in a fixture', 'templated', 'Scenario: a story', 'inner', 'boosted'],
    ],
    ['functions of C', 'tests/a.c', plain, ['adds_two', 'test_subtracts']],
    ['a program without any', 'tests/parse_number.c', 'int main(void) { return 0; }', ['parse_number']],
    ['none in a header without any', 'tests/helper.h', 'int help(void);', []],
    [
      'registered with ctest',
      'tests/CMakeLists.txt',
      'add_test(NAME one COMMAND a)\nadd_test("two b" b)\n# add_test(no)\n',
      ['one', 'two b'],
    ],
    [
      'registered with Meson',
      'tests/meson.build',
      "test('one', exe)\ntest('two b', exe, args: ['x'])\n",
      ['one', 'two b'],
    ],
    ['none elsewhere', 'tests/a.py', 'TEST(A, B) {}', []],
  ]
  for (const [title, path, source, expected] of rows)
    it(`are found: ${title}`, () => expect(names(path, source)).toEqual(expected))

  const edits: readonly [title: string, from: string, to: string, name: string, changes: boolean][] = [
    ['a comment', '// a brace }', '// another {', 'Plain.Adds', false],
    ['blanks', 'add("}", \'{\')', 'add("}",   \'{\')', 'Plain.Adds', false],
    ['an expectation', "1'000", "1'001", 'Plain.Adds', true],
    ['a row', 'Values(1, 2)', 'Values(1, 2, 3)', 'Small/Rows', true],
    ['another case', 'y();', 'z();', 'Plain.Adds', false],
  ]
  for (const [title, from, to, name, changes] of edits)
    it(`${changes ? 'change' : 'stay'} with ${title} [A3]`, () => {
      expect(gtest).toContain(from)
      expect(textOf(gtest.replace(from, to), name) !== textOf(gtest, name)).toBe(changes)
    })

  const changedBy = (from: string, to: string) => {
    expect(tables).toContain(from)
    const known = new Map(cppTestCases('a_test.cc', tables).map((found) => [found.name, found.text]))
    const cases = cppTestCases('a_test.cc', tables.replace(from, to))
    return cases.filter((found) => known.get(found.name) !== found.text).map((found) => found.name)
  }
  const beside: readonly [title: string, from: string, to: string, name: string][] = [
    ['a table of a namespace', '{3, 6}', '{3, 7}', 'Rows.Hold'],
    ['a table that rows are made of', '{3, 6}', '{3, 7}', 'Small/Rows'],
    ['a table behind the preprocessor', '{0}', '{1}', 'Rows.Hold'],
    ['a list', '{7, 8}', '{7}', 'List.Holds'],
    ['a text', '"; {"', '"; }"', 'List.Holds'],
    ['a table of C', '{5}', '{6}', 'List.Holds'],
    ['a table behind other cases', '{9}', '{8}', 'Late.Holds'],
  ]
  for (const [title, from, to, name] of beside)
    it(`change with ${title}, where they name it [A3]`, () =>
      expect(changedBy(from, to)).toEqual(expect.arrayContaining([name])))

  it('stay with variables of helpers and tables that they do not name [A3]', () => {
    expect(changedBy('kLocal = 2', 'kLocal = 3')).toEqual([])
    expect(changedBy('{9}', '{8}')).toEqual(['Late.Holds'])
    expect(changedBy('{3, 6}', '{3, 7}')).toEqual(['Small/Rows', 'Rows.Hold'])
  })

  it('are read in linear time', () => {
    const hostile = [
      'TEST(',
      'TEST(a,',
      'R"x(',
      "'",
      '/*',
      '#define a \\\n',
      'int a(',
      '{',
      'add_test(',
      'a={',
      'a=1;',
      '#x\n',
      'namespace {',
    ]
    const start = process.cpuUsage()
    for (const unit of hostile) names('a_test.cc', unit.repeat(100_000 / unit.length))
    expect(process.cpuUsage(start).user / 1e6).toBeLessThan(5)
  })
})

describe('a test id', () => {
  const hidden = [
    { path: 'tests/plain_test.cc', text: gtest },
    { path: 'tests/sums.cpp', text: catch2 },
    { path: 'tests/parse_number.c', text: 'int main(void) { return 0; }' },
    { path: 'tests/CMakeLists.txt', text: 'add_test(NAME whole COMMAND all)' },
  ]
  const rows: Readonly<Record<string, boolean>> = {
    'tests/all::Plain.Adds': true,
    'tests/all::Small/Rows.AreShort/0': true,
    'tests/all::Typed/1.Holds': true,
    'tests/all::Plain.Other': false,
    'tests/all::sums, with "quotes"': true,
    'tests/all::templated - int': true,
    'tests/all::suite > inner': true,
    'tests/all::inner #2': true,
    'tests/all::elsewhere': false,
    'ctest::parse_number': true,
    'ctest::test-parse-number': true,
    'ctest::parse': false,
    'ctest::whole': true,
    'ctest::other': false,
    'project:unit::parse_number': true,
    'check::tests/parse_number': true,
    'tests/parse_number::anything': true,
    'make::check': true,
    'tests/all': false,
  }
  for (const [id, owned] of Object.entries(rows))
    it(`${id} is ${owned ? '' : 'not '}from the hidden files [B19]`, () => expect(cppOwnsTest(hidden, id)).toBe(owned))
})
