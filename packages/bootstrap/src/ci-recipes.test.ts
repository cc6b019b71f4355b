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

  it('have the packages first, and come without them second', async () => {
    const recipes = await made({ script: 'apt-get install -y zlib1g-dev libfoo-dev\npytest' })
    expect(recipes.map(line)).toEqual([
      'pytest python:3.13-slim libfoo-dev libpq-dev zlib1g-dev',
      'pytest python:3.13-slim libpq-dev',
    ])
    expect(recipes.map(({ manifests }) => manifests)).toEqual([[file, 'setup.py'], ['setup.py']])
  })

  it('have the variables of the test step that nothing else sets', async () => {
    const recipes = await made({ env: '{TZ: UTC, PYTEST_ADDOPTS: -x}' })
    expect(recipes[0]?.testEnv).toEqual({ PYTEST_ADDOPTS: '', TZ: 'UTC' })
    expect(recipes).toHaveLength(2)
  })

  it('come with the build commands of the job last, each word quoted in a file', async () => {
    const recipes = await made({
      script: "cd 'a b'\nA='$(x)' python setup.py build_ext --inplace\ncd ..\nmake gen\npytest",
    })
    expect(recipes.map(line)).toEqual([
      'pytest python:3.13-slim libpq-dev',
      'pytest python:3.13-slim libpq-dev ci-build.sh',
    ])
    expect(recipes[1]).toMatchObject({
      files: [{ text: "set -e\n(cd './a b' && A='$(x)' python setup.py build_ext --inplace)\nmake gen\n" }],
      project: [{ run: 'sh /r2e/ci-build.sh', network: false }],
      manifests: [file, 'setup.py'],
    })
  })

  const left: readonly [title: string, script: string][] = [
    ['with patterns', 'python setup.py build_ext *'],
    ['that are not known', 'python setup.py build_ext $X'],
    ['out of the tree', 'cd /x\nmake gen'],
    ['of another language', 'npm run build'],
    ['after the tests', 'pytest\nmake gen'],
    ['that may not run', 'x || make gen'],
  ]
  for (const [title, script] of left)
    it(`come without build commands ${title}`, async () =>
      expect(await made({ script: `${script}\npytest` })).toHaveLength(1))

  it('leave out a build that the language does itself', async () => {
    const recipes = [recipeOf({ project: [{ run: 'python setup.py build_ext', network: false }] })]
    expect(await made({ script: 'python setup.py build_ext\npytest', recipes })).toHaveLength(1)
  })

  const images: readonly [matrix: string, mayChooseImage: boolean, images: readonly string[]][] = [
    ['[3.8, 3.9, pypy-3.9]', true, ['python:3.9-slim', 'python:3.13-slim']],
    ['[3.8, 3.9]', false, ['python:3.13-slim']],
    ['[3.12, 3.14]', true, ['python:3.13-slim']],
    ['[3.9, 3.x]', true, ['python:3.13-slim']],
    [`["\${{ needs.x }}", 3.9]`, true, ['python:3.13-slim']],
    ['[2.7, 3.6]', true, ['python:3.13-slim']],
  ]
  for (const [matrix, mayChooseImage, wanted] of images)
    it(`have ${wanted[0]} first for tests with ${matrix}${mayChooseImage ? '' : ' and an image of the user'}`, async () =>
      expect((await made({ matrix, mayChooseImage })).map(({ baseImage }) => baseImage)).toEqual(wanted))

  it('are six at most, the own ones among them', async () => {
    const three = ['a', 'b', 'c'].map((runner) => recipeOf({ runner }))
    const all = { script: 'apt-get install libfoo-dev\nmake gen\npytest', matrix: '[3.9]' }
    expect((await made({ ...all, recipes: three })).map(line)).toEqual([
      'a python:3.9-slim libfoo-dev libpq-dev',
      'a python:3.13-slim libfoo-dev libpq-dev',
      'a python:3.13-slim libpq-dev',
      'b python:3.13-slim libpq-dev',
      'c python:3.13-slim libpq-dev',
      'a python:3.9-slim libfoo-dev libpq-dev ci-build.sh',
    ])
    const seven = [...'abcdefg'].map((runner) => recipeOf({ runner }))
    expect(await made({ ...all, recipes: seven })).toHaveLength(9)
  })

  it('are equal to the byte each time', async () => {
    const all = { script: 'apt-get install libfoo-dev $X\nmake gen\npytest', matrix: '[3.9]', env: '{TZ: UTC}' }
    expect(JSON.stringify(await made(all))).toBe(JSON.stringify(await made(all)))
  })

  it('are none where there are none', async () => expect(await made({ recipes: [] })).toEqual([]))
})
