import type { Recipe } from '@r2e/spec'
import { describe, expect, it } from 'vitest'
import { openCiFacts } from './ci/ci-facts.ts'
import { ciRecipes } from './ci-recipes.ts'

const file = '.github/workflows/ci.yml'

function recipeOf(over: Partial<Recipe> = {}): Recipe {
  return {
    schema: 'r2e.recipe/1',
    language: 'python',
    baseImage: 'python:3.13-slim',
    system: ['libpq-dev'],
    env: {},
    files: [],
    dependencies: [],
    setup: [],
    project: [],
    runner: 'pytest',
    suite: ['tests'],
    testEnv: { PYTEST_ADDOPTS: '' },
    manifests: ['setup.py'],
    origin: [{ fact: 'dependencies', file: 'setup.py' }],
    ...over,
  }
}

interface Given {
  readonly script?: string
  readonly env?: string
  readonly matrix?: string
  readonly recipes?: readonly Recipe[]
  readonly mayChooseImage?: boolean
}

async function made({
  script = 'pytest',
  env = '{}',
  matrix = '[3.13]',
  recipes = [recipeOf()],
  mayChooseImage = true,
}: Given) {
  const text = `on: push
jobs:
  test:
    runs-on: ubuntu-latest
    strategy: {matrix: {py: ${matrix}}}
    steps:
    - uses: actions/setup-python@v5
      with: {python-version: "\${{ matrix.py }}"}
    - env: ${env}
      run: |
        ${script.replaceAll('\n', '\n        ')}
`
  const facts = await openCiFacts(new Map([[file, text]]))
  return ciRecipes({ recipes, facts, runner: () => undefined, mayChooseImage })
}

/** What tells recipes apart, in one line. */
function line({ baseImage, system, testEnv, files, runner }: Recipe): string {
  const names = Object.keys(testEnv).filter((name) => name !== 'PYTEST_ADDOPTS')
  return [runner, baseImage, ...system, ...names, ...files.map(({ path }) => path)].join(' ')
}

describe('recipes with CI files', () => {
  it('are the same where nothing is added, and show what was read', async () => {
    const [only, ...rest] = await made({ script: 'sudo apt-get install -y git libpq-dev python3-dev\npytest' })
    expect(rest).toEqual([])
    expect(only).toEqual({
      ...recipeOf(),
      origin: expect.arrayContaining([
        { fact: 'dependencies', file: 'setup.py' },
        { fact: 'tests by pytest (job test)', file },
      ]),
    })
  })

  it('begin as the language made them, and come with packages second', async () => {
    const recipes = await made({ script: 'apt-get install -y zlib1g-dev libfoo-dev\npytest' })
    expect(recipes.map(line)).toEqual([
      'pytest python:3.13-slim libpq-dev',
      'pytest python:3.13-slim libfoo-dev libpq-dev zlib1g-dev',
    ])
    expect(recipes.map(({ manifests }) => manifests)).toEqual([['setup.py'], ['setup.py']])
  })

  it('come second with the variables of the tests that nothing else sets', async () => {
    const recipes = await made({ env: '{TZ: UTC, PYTEST_ADDOPTS: -x}', recipes: [recipeOf({ env: { APP_ENV: 'x' } })] })
    expect(recipes.map(({ testEnv }) => testEnv)).toEqual([{ PYTEST_ADDOPTS: '' }, { PYTEST_ADDOPTS: '', TZ: 'UTC' }])
    const taken = await made({ env: '{APP_ENV: a}', recipes: [recipeOf({ env: { APP_ENV: 'x' } })] })
    expect(taken).toHaveLength(1)
  })

  const images: readonly [matrix: string, over: Partial<Given>, images: readonly string[]][] = [
    ['[3.8, 3.9, pypy-3.9]', {}, ['python:3.13-slim', 'python:3.9-slim']],
    ['[3.9, 3.10, 3.1]', {}, ['python:3.13-slim', 'python:3.10-slim']],
    ['[3.8, 3.9]', { mayChooseImage: false }, ['python:3.13-slim']],
    ['[3.12, 3.14]', {}, ['python:3.13-slim']],
    ['[3.9, 3.x]', {}, ['python:3.13-slim']],
    [`["\${{ needs.x }}", 3.9]`, {}, ['python:3.13-slim']],
    ['[2.7, 3.6]', {}, ['python:3.13-slim']],
    ...['.python-version', 'app/.tool-versions', 'runtime.txt'].map((path): [string, Partial<Given>, string[]] => [
      '[3.9]',
      { recipes: [recipeOf({ manifests: [path] })] },
      ['python:3.13-slim'],
    ]),
    ['[3.9]', { recipes: [recipeOf({ language: 'constructor' })] }, ['python:3.13-slim']],
  ]
  for (const [matrix, over, wanted] of images)
    it(`have ${wanted.join(' and ')} for tests with ${matrix} and ${JSON.stringify(over).slice(0, 60)}`, async () =>
      expect((await made({ matrix, ...over })).map(({ baseImage }) => baseImage)).toEqual(wanted))

  const all = { script: 'apt-get install libfoo-dev\npytest', matrix: '[3.9]' }

  it('are six at most, the own ones among them and first', async () => {
    const three = ['a', 'b', 'c'].map((runner) => recipeOf({ runner }))
    expect((await made({ ...all, recipes: three })).map(line)).toEqual([
      'a python:3.13-slim libpq-dev',
      'a python:3.13-slim libfoo-dev libpq-dev',
      'a python:3.9-slim libpq-dev',
      'b python:3.13-slim libpq-dev',
      'b python:3.13-slim libfoo-dev libpq-dev',
      'c python:3.13-slim libpq-dev',
    ])
    const seven = [...'abcdefg'].map((runner) => recipeOf({ runner }))
    expect(await made({ ...all, recipes: seven })).toHaveLength(9)
  })

  it('are equal to the byte each time', async () => {
    const given = { ...all, script: 'apt-get install libfoo-dev $X\npytest', env: '{TZ: UTC}' }
    expect(JSON.stringify(await made(given))).toBe(JSON.stringify(await made(given)))
  })

  it('come out whatever a CI file holds', async () => {
    const files = new Map([
      [file, `on: push\njobs: {t: {runs-on: x, steps: [{run: make t}]}}\n`],
      ['Makefile', Array.from({ length: 4000 }, (_, at) => `A${at}=$(A${at + 1})\n`).join('')],
      ['.github/workflows/b.yml', '['.repeat(60_000)],
      ['.github/workflows/c.yml', `${'a: &a [*a, *a]\n'.repeat(3000)}`],
      ['.devcontainer.json', '[{'.repeat(30_000)],
    ])
    const facts = await openCiFacts(files)
    const recipes = ciRecipes({ recipes: [recipeOf()], facts, runner: () => undefined, mayChooseImage: true })
    expect(recipes).toEqual([recipeOf()])
  })

  it('are none where there are none', async () => expect(await made({ recipes: [] })).toEqual([]))
})
