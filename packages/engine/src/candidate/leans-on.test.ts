import { encodeUtf8 } from '@r2e/spec'
import { describe, expect, it } from 'vitest'
import { leansOn } from './leans-on.ts'

describe('a test that leans on a hidden file', () => {
  it.each([
    ['a base class', 'StoreTest.java', 'public abstract class AbstractStore {', 'class Memory extends AbstractStore {'],
    ['a module', 'tests/mixins.py', 'class Mixin:\n', 'from tests.mixins import *\n'],
    ['a helper of its package', 'a_test.go', 'func startServer(t *testing.T) {', '\tstartServer(t)\n'],
    ['a type', 'a_test.go', 'type fake struct {', '\tx := fake{}\n'],
    ['shared examples', 'spec/store_spec.rb', "RSpec.shared_examples 'a store' do", "it_behaves_like 'a store'"],
    ['a file by its path', 'test/shared.js', 'module.exports = () => {}', "require('./shared')()"],
    ['a package of tests', 'tests/common/mod.rs', '', 'mod common;\n'],
    ['a macro', 'tests/util.h', '#define CHECK_SLUG(a) a', 'CHECK_SLUG(1)'],
    ['a block of Go', 'a_test.go', 'var (\n\tcases = 1\n)\n', 'range cases'],
    ['the second of a list', 'a_test.go', 'var first, second = 1, 2', 'use(second)'],
    ['what Go runs before all', 'a_test.go', 'func TestMain(m *testing.M) {', ''],
    ['a class with an annotation', 'Base.java', '@Tag("x") abstract class BaseTests {', 'extends BaseTests'],
    ['a function of C', 'tests/util.c', 'int check_all(int a) {', 'check_all(1);'],
    ['its path with a mark', 'src/foo.test.ts', '', "import { x } from './foo.test'"],
    ['a name with a hyphen', 'test/user-store.js', '', "require('./user-store')"],
    ['a Rust function for others', 'tests/a.rs', 'pub(crate) fn temp_dir() {', 'temp_dir()'],
  ])('by %s', (_, path, declared, use) => {
    const standing = [{ path: 'other', mode: '100644' as const, content: encodeUtf8(use) }]
    expect(leansOn(standing, [{ path, text: declared }])).toBe(true)
  })

  it.each([
    ['tests of the same names', 'tests/test_a.py', 'def test_one():\n    pass\n', 'def test_one():\n    pass\n'],
    ['a local name', 'tests/test_a.py', 'def test_one():\n    value = 1\n', 'value = 2\n'],
    ['the calls of any test', 'src/foo.test.ts', "test('x', () => {})\n", "test('y', () => {})\n"],
    ['a part of its name', 'test/user-store.js', '', 'const store = 1'],
    ['a method', 'a_test.go', 'func (f *fake) Get() {', '\tx.Get()\n'],
    ['a part of a name', 'a_test.go', 'func start(t *testing.T) {', 'startServer(t)'],
  ])('not by %s', (_, path, declared, use) => {
    const standing = [{ path: 'other', mode: '100644' as const, content: encodeUtf8(use) }]
    expect(leansOn(standing, [{ path, text: declared }])).toBe(false)
  })

  it('takes linear time', () => {
    for (const text of ['\n'.repeat(1_000_000), 'const '.repeat(200_000), `${'@a(x) '.repeat(160)}\n`.repeat(1000)]) {
      const begin = performance.now()
      leansOn([], [{ path: 'a.js', text }])
      expect(performance.now() - begin).toBeLessThan(1500)
    }
  })

  it('does not lean on itself', () => {
    const standing = [{ path: 'a_test.go', mode: '100644' as const, content: encodeUtf8('func start() {}') }]
    expect(leansOn(standing, [{ path: 'a_test.go', text: 'func start() {}' }])).toBe(false)
  })
})
