import { languagePacks } from '@r2e/languages'
import { encodeUtf8, type RecipeInput, type RecipeOptions, type Repository, sha256Hex, type Tree } from '@r2e/spec'
import { describe, expect, it } from 'vitest'
import { createRecipeBuilder, environmentKey } from './index.ts'

type Files = Readonly<Record<string, string>>

function treeOf(files: Files): Tree {
  const bytes = new Map(Object.entries(files).map(([path, text]) => [path, encodeUtf8(text)]))
  const entry = (path: string, content: Uint8Array) => ({
    path,
    mode: '100644' as const,
    blob: sha256Hex(content),
    size: content.length,
  })
  return {
    commit: 'c'.repeat(40),
    entries: async () => [...bytes].map(([path, content]) => entry(path, content)),
    submodules: async () => [],
    read: async (path) => bytes.get(path),
    readAll: async (paths) => new Map(paths.filter((path) => bytes.has(path)).map((path) => [path, bytes.get(path)!])),
  }
}

function inputOf(files: Files, options: Partial<RecipeOptions> = {}): RecipeInput {
  const commit = async () => ({ committedAt: '2024-05-31T12:00:00Z' })
  const repository = { newestTag: async () => undefined, commit } as unknown as Repository
  return { tree: treeOf(files), repository, options: { setup: [], ...options } }
}

const builder = createRecipeBuilder(languagePacks)
const python = { 'requirements.txt': 'a\n', 'a.py': '', 'tests/test_a.py': 'def test_a(): pass\n' }
const go = { 'go.mod': 'module m\n', 'a.go': 'package m\n', 'a_test.go': 'package m\n' }

async function firstOf(files: Files, options: Partial<RecipeOptions> = {}) {
  return (await builder.recipes(inputOf(files, options)))[0]!
}

describe('recipes of a tree', () => {
  it('come from its language', async () => {
    expect((await firstOf(python)).language).toBe('python')
    expect((await firstOf(go)).language).toBe('go')
  })

  it('of a mixed tree end with those of the lighter language', async () => {
    const both = await builder.recipes(inputOf({ ...python, ...go, 'go.sum': '' }))
    expect(both.map((recipe) => recipe.language)).toEqual(['go', 'python'])
  })

  it('follow the hint alone', async () => {
    const hinted = await builder.recipes(inputOf({ ...python, ...go, 'go.sum': '' }, { language: 'Python' }))
    expect(new Set(hinted.map((recipe) => recipe.language))).toEqual(new Set(['python']))
  })

  it('are none for a tree of no known language', async () => {
    expect(await builder.recipes(inputOf({ 'a.cob': '' }))).toEqual([])
  })

  it('refuse an unknown hint', async () => {
    await expect(builder.recipes(inputOf(python, { language: 'cobol' }))).rejects.toMatchObject({
      code: 'unknown_language',
      fault: 'user',
    })
  })

  it('that the user makes equal are one', async () => {
    const project = { 'pom.xml': '<project><artifactId>a</artifactId></project>', 'src/test/java/ATest.java': '' }
    const told = async (options: Partial<RecipeOptions>) =>
      (await builder.recipes(inputOf(project, options))).map(({ origin: _origin, ...built }) => JSON.stringify(built))
    const [own, mine] = [await told({}), await told({ baseImage: 'mine' })]
    expect(mine.length).toBeLessThan(own.length)
    expect(new Set(mine).size).toBe(mine.length)
  })

  it("take the user's image, commands and test command, and the runner that it names", async () => {
    const options = { baseImage: 'mine', setup: ['apt-get install less'], testCommand: ['python', '-m', 'unittest'] }
    expect(await firstOf(python, options)).toMatchObject({
      baseImage: 'mine',
      setup: [{ run: 'apt-get install less', network: true }],
      testCommand: ['python', '-m', 'unittest'],
      runner: 'unittest',
    })
    expect((await firstOf(python, { testCommand: ['make', 'test'] })).runner).toBe('pytest')
    expect((await firstOf(python, { testCommand: ['python', 'site/manage.py', 'test'] })).runner).toBe('django')
    const shell = ['bash', '-c', 'cd x && python -m unittest "$@"', 'bash']
    expect((await firstOf(python, { testCommand: shell })).runner).toBe('unittest')
  })
})

describe('CI files of a tree', () => {
  const workflow = (packages: string) =>
    `on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n    - run: sudo apt-get install -y ${packages}\n    - run: pytest\n`
  const withCi = (packages: string) => ({ ...python, '.github/workflows/ci.yml': workflow(packages) })

  it('leave the first recipe as it is and add their packages to the second', async () => {
    const [plain] = await builder.recipes(inputOf(python))
    const [first, second] = await builder.recipes(inputOf(withCi('libfoo-dev')))
    expect({ ...first, origin: [] }).toEqual({ ...plain, origin: [] })
    expect({ ...second, origin: [] }).toEqual({ ...plain, origin: [], system: ['libfoo-dev'] })
  })

  it('change no key of a recipe that they do not change', async () => {
    const keys = await Promise.all(
      [python, withCi('git'), withCi('libfoo-dev')].map(async (files) =>
        environmentKey(await firstOf(files), treeOf(files)),
      ),
    )
    expect(new Set(keys).size).toBe(1)
  })
})

describe('the key of an environment', () => {
  const keyOf = async (files: Files, options: Partial<RecipeOptions> = {}) =>
    environmentKey(await firstOf(files, options), treeOf(files))

  it('is shared by trees with equal dependency files [W15]', async () => {
    expect(await keyOf({ ...python, 'a.py': 'changed' })).toBe(await keyOf(python))
  })

  const changes: readonly [title: string, files: Files, options: Partial<RecipeOptions>][] = [
    ['a dependency', { ...python, 'requirements.txt': 'a\nb\n' }, {}],
    ['the base image', python, { baseImage: 'other' }],
    ['a set-up command', python, { setup: ['true'] }],
    ['the test command', python, { testCommand: ['pytest'] }],
  ]
  for (const [title, files, options] of changes)
    it(`changes with ${title} [I1 W15]`, async () => expect(await keyOf(files, options)).not.toBe(await keyOf(python)))
})

describe('inference', () => {
  const trees: Readonly<Record<string, Files>> = {
    Gemfile: { Rakefile: '', 'spec/a_spec.rb': 'describe("a") { it("b") {} }\n' },
    Rakefile: { Gemfile: 'gem "minitest"\n', 'test/a_test.rb': 'class ATest < Minitest::Test\nend\n' },
    'spec/a_spec.rb': { Gemfile: 'gem "rspec"\n' },
    'configure.ac': { 'Makefile.am': '', 'tests/a.c': 'int main() {}\n' },
    'meson.build': { 'tests/a.c': 'int main() {}\n' },
    'go.mod': { 'a_test.go': 'package a\n' },
    '.github/workflows/a.yml': { 'go.mod': 'module a\n', 'a_test.go': 'package a\n' },
    '.gitlab-ci.yml': { 'go.mod': 'module a\n', 'a_test.go': 'package a\n' },
    Dockerfile: { 'go.mod': 'module a\n', 'a_test.go': 'package a\n' },
    'go.work': { 'go.mod': 'module a\n', 'a_test.go': 'package a\n' },
    '.nvmrc': { 'package.json': '{"scripts":{"test":"jest"}}', 'test/a.test.js': 'test("a", () => {})\n' },
  }
  for (const [path, others] of Object.entries(trees))
    it(`takes linear time on blanks in ${path}`, async () => {
      const started = Date.now()
      for (const blank of ['\n', '\r', ' ', '\t', ' \n'])
        await builder.recipes(inputOf({ ...others, [path]: blank.repeat(100_000) }))
      expect(Date.now() - started).toBeLessThan(3000)
    })
})
