import type { Recipe } from '@r2e/spec'
import { describe, expect, it } from 'vitest'
import { recipeInput } from '../__fixtures__/recipe-input.ts'
import { goOwnsTest } from './owns-test.ts'
import { goRecipes } from './recipe.ts'
import { goRole } from './roles.ts'
import { goRunner } from './runner.ts'
import { goTestCases } from './test-cases.ts'

const repository = {
  'go.mod': 'module example.com/m\n\ngo 1.25.1\n',
  'go.sum': '',
  'a_test.go': 'package m',
  'tool/go.mod': 'module "example.com/m/tool" // x\n\ngo 1.22\nreplace (\n\texample.com/l => ../lib // local\n)\n',
  'tool/x_test.go': 'package tool',
  'lib/go.mod': 'module example.com/l\n',
  'docs/go.mod': 'module example.com/m/docs\nrequire evil v1\n',
  'vendor/v/go.mod': 'module v\n',
}
const [recipe] = (await goRecipes(recipeInput(repository))) as [Recipe]

describe('the recipe of Go', () => {
  it('copies the module files that tests are built with, in their own layout', () => {
    expect(recipe.files.map(({ path }) => path)).toEqual([
      'go/go.mod',
      'go/go.sum',
      'go/lib/go.mod',
      'go/tool/go.mod',
      'modules',
    ])
    expect(recipe.manifests).toEqual(['go.mod', 'go.sum', 'lib/go.mod', 'tool/go.mod'])
  })

  it('takes an image as new as the newest go line', () => expect(recipe.baseImage).toBe('golang:1.25'))

  it('takes an image as new as a workspace asks for', async () => {
    const [workspace] = (await goRecipes(
      recipeInput({ ...repository, 'go.work': 'go 1.26.0\n\nuse (\n\t.\n\t./tool\n)\n' }),
    )) as [Recipe]
    expect(workspace.baseImage).toBe('golang:1.26')
  })

  it('runs every module that has tests', () => expect(recipe.suite).toEqual(['./...', 'tool/...']))

  it('keeps every module of a workspace', async () => {
    const [workspace] = (await goRecipes(
      recipeInput({ ...repository, 'go.work': 'go 1.22\nuse (\n\t.\n\t./docs\n)\nuse ./tool\n' }),
    )) as [Recipe]
    expect(workspace.files.map(({ path }) => path)).toContain('go/docs/go.mod')
  })

  it('is none without a module', async () => expect(await goRecipes(recipeInput({ 'a_test.go': '' }))).toEqual([]))
})

describe('the go command', () => {
  const last = (argv: readonly string[]) => argv.slice(argv.findIndex((word) => word.startsWith('-timeout')) + 1)

  it('runs each module from its folder, uncached, and streams events [B4 G7]', () => {
    expect(goRunner.suite(recipe).map(({ argv }) => argv.join(' '))).toEqual([
      'go test -json -count=1 -timeout=300s ./...',
      'go -C tool test -json -count=1 -timeout=300s ./...',
    ])
  })

  it('is replaced by the one of the user, in the folder of each module', () => {
    const own = { ...recipe, testCommand: ['go', 'test', '-race'] }
    expect(goRunner.suite(own).map(({ argv }) => argv.join(' '))).toEqual([
      'go test -race -json -count=1 -timeout=300s ./...',
      'env -C tool go test -race -json -count=1 -timeout=300s ./...',
    ])
  })

  it('runs the packages of touched files', () => {
    const commands = goRunner.files(recipe, [
      'a_test.go',
      'p/q/b_test.go',
      'p/q/testdata/x/y.txt',
      'tool/x_test.go',
      'README.md',
    ])
    expect(commands.map(({ argv }) => last(argv))).toEqual([['.', './p/q'], ['.']])
  })

  const selectors: Readonly<Record<string, readonly string[]>> = {
    'example.com/m/pkg::TestX/s_p/q': ['example.com/m/pkg', '-run', '^TestX$/^s_p$/^q$'],
    'example.com/m::TestX/a(b)[c].*': ['example.com/m', '-run', '^TestX$/^a\\(b\\)\\[c\\]\\.\\*$'],
    'example.com/m::FuzzX/seed#0': ['example.com/m', '-run', '^FuzzX$/^seed#0$'],
    'example.com/m/pkg': ['example.com/m/pkg'],
  }
  for (const [id, want] of Object.entries(selectors))
    it(`selects ${id} [G1 G5 G9]`, () => expect(last(goRunner.select(recipe, id).argv)).toEqual(want))

  it('selects a package of a nested module from that module', () => {
    expect(goRunner.select(recipe, 'example.com/m/tool/x::TestX').argv.slice(0, 4)).toEqual([
      'go',
      '-C',
      'tool',
      'test',
    ])
  })
})

const source = `package m

import "testing"

var rows = []struct{ in, out string }{
	{"a { b", "}"}, // comment
}

var (
	one = 1
	two = map[string]int{"x": 1}
)

// TestTable is documented.
func TestTable(t *testing.T) {
	for _, row := range rows {
		/* block
		func TestNot(t *testing.T) {} */
		check(t, row, 'x', \`raw " {
func TestInRaw(t *testing.T) {}
\`)
	}
}

func TestGroup(t *testing.T) { _ = two }
func Testify() {}
func TestMain(m *testing.M) {}
func (s *Suite) TestMethod() {}
func (s *Suite) SetupTest() {}
func FuzzX(f *testing.F) {}
func ExampleX() {
	// Output: 1
}
func BenchmarkX(b *testing.B) {}
func TestGeneric[T any](t *testing.T) {}
`
const textOf = (code: string, name: string) => goTestCases(code).find((item) => item.name === name)?.text

describe('test cases of Go', () => {
  it('are tests, fuzz targets, examples and suite methods, not benchmarks [G9]', () => {
    expect(goTestCases(source).map(({ name }) => name)).toEqual([
      'TestTable',
      'TestGroup',
      'TestMethod',
      'FuzzX',
      'ExampleX',
      'TestGeneric',
    ])
  })

  const edits: readonly [title: string, from: string, to: string, name: string, changes: boolean][] = [
    ['a comment', '// comment', '// other', 'TestTable', false],
    ['a block comment', '/* block', '/* other', 'TestTable', false],
    ['alignment', '{"a { b", "}"}', '{"a { b",    "}"}', 'TestTable', false],
    ['a table row', '{"a { b", "}"},', '{"a { b", "}"}, {"c", "d"},', 'TestTable', true],
    ['a table in a group', '{"x": 1}', '{"x": 2}', 'TestGroup', true],
    ['a raw string', 'raw "', 'wet "', 'TestTable', true],
    ['a table that it does not name', '{"x": 1}', '{"x": 2}', 'TestTable', false],
  ]
  for (const [title, from, to, name, changes] of edits)
    it(`${changes ? 'change' : 'do not change'} with ${title} [A3]`, () => {
      const edited = source.replace(from, to)
      expect(edited).not.toBe(source)
      expect(textOf(edited, name) !== textOf(source, name)).toBe(changes)
    })

  it('take linear time on hostile text', () => {
    for (const unit of ['"', '`', '/*', '(', '\\', '//\n', 'var (\n', 'func Test(', 'var a = \n', ' \n'])
      goTestCases(unit.repeat(400_000 / unit.length))
  }, 10_000)
})

describe('a Go test id', () => {
  const files = [{ path: 'p/q/a_test.go', text: source }]
  const rows: Readonly<Record<string, boolean>> = {
    'example.com/m/p/q::TestTable': true,
    'example.com/m/p/q::TestTable/row/x': true,
    'example.com/m/p/q::TestSuite/TestMethod': true,
    'example.com/m/p/q::TestOther': false,
    'example.com/m/p/q::TestTableMore': false,
    'example.com/m/q::TestTable': false,
    'example.com/m/xp/q::TestTable': false,
    'example.com/m/p/q': false,
  }
  for (const [id, owned] of Object.entries(rows))
    it(`${id} is ${owned ? '' : 'not '}from the hidden file [B19]`, () => expect(goOwnsTest(files, id)).toBe(owned))

  const nested: Readonly<Record<string, readonly string[]>> = {
    'a_test.go': ['example.com/m'],
    'q/a_test.go': ['example.com/m/q'],
    'tool/a_test.go': ['example.com/m/tool'],
    'tool/q/a_test.go': ['example.com/m/tool/q'],
    'lib/q/a_test.go': ['example.com/l/q'],
  }
  const packages = Object.values(nested).flat()
  for (const [path, owned] of Object.entries(nested))
    it(`of the package of ${path} alone is from it, by the modules of the recipe [B19]`, () =>
      expect(packages.filter((name) => goOwnsTest([{ path, text: source }], `${name}::TestTable`, recipe))).toEqual(
        owned,
      ))
})

describe('the role of a Go path', () => {
  const roles: Readonly<Record<string, string | undefined>> = {
    'a_test.go': 'test',
    'pkg/testdata/x.json': 'test',
    'test/e2e/run.go': 'test',
    'internal/testing/x.go': 'source',
    'a.go': 'source',
    'vendor/x/a_test.go': 'other',
    'docs/a_test.go': undefined,
    'examples/x/main.go': undefined,
    'go.mod': undefined,
  }
  for (const [path, role] of Object.entries(roles))
    it(`${path} is ${role ?? 'left to the general rules'} [A1]`, () => expect(goRole(path)).toBe(role))
})
