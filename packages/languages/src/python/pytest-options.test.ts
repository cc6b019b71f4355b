import { describe, expect, it } from 'vitest'
import { recipeInput } from '../__fixtures__/recipe-input.ts'
import { openManifests } from '../manifests.ts'
import { joinWords, splitWords } from '../shell-words.ts'
import { readPytestConfig } from './pytest-config.ts'
import { keptOptions, pytestAddopts } from './pytest-options.ts'

const rows: readonly [addopts: string, kept: string][] = [
  ['-q -x --maxfail 3 --maxfail=1 --tb short -ra', ''],
  ['--cov --cov=pkg --cov-report term-missing --cov-fail-under=100 --no-cov-on-fail', ''],
  ['--cov pkg -m "not slow"', "-m 'not slow'"],
  ['-xvs', '-s'],
  ['-vx -lq -qqx -rA -vrA -qn4 -n=2 -vr fE -h -V -fd -ctox.ini', ''],
  [
    '-vk "a or b" -m"not slow" -qWerror -pno:cacheprovider -xpno:warnings',
    "-k 'a or b' -m 'not slow' -W error -p no:warnings",
  ],
  ['-Xv -x=1 -k-a tests/-x -', '-Xv -x=1 -k-a tests/-x -'],
  ['-n auto --dist=loadscope -n4 --reruns 3', ''],
  ['--strict-markers --strict-config --strict', ''],
  ['-p no:cacheprovider -p no:warnings -p xdist', '-p no:warnings'],
  [
    '--import-mode=importlib --doctest-modules --ignore=docs --ds=app.settings',
    '--import-mode=importlib --doctest-modules --ignore=docs --ds=app.settings',
  ],
  ['--junitxml=out.xml --junit-prefix p --rootdir=.. -c other.ini --basetemp /x', ''],
  ['--flake8 --black --mypy --randomly-seed=1', ''],
  ['-W error -k "a or b" -vv', "-W error -k 'a or b'"],
  ['--lf --sw --pdb --html=r.html --self-contained-html', ''],
]

describe("a project's addopts", () => {
  for (const [addopts, kept] of rows)
    it(`${addopts} keep ${kept || 'nothing'} [B2 I15]`, () =>
      expect(joinWords(keptOptions(splitWords(addopts)!))).toBe(kept))
})

async function configOf(files: Record<string, string>) {
  return readPytestConfig(await openManifests(recipeInput(files).tree), '')
}

describe('the configuration of pytest', () => {
  it('is the first file that has the section', async () => {
    const config = await configOf({
      'pyproject.toml': '[tool.black]\n',
      'tox.ini': '[tox]\nenvlist = py3\n',
      'setup.cfg': '[tool:pytest]\naddopts =\n    -m\n    "not slow"\ntestpaths = a b\n',
    })
    expect(config).toMatchObject({ file: 'setup.cfg', addopts: ['-m', 'not slow'], testpaths: ['a', 'b'] })
  })

  it('is read from both tables of pyproject.toml', async () => {
    const own = await configOf({ 'pyproject.toml': '[tool.pytest]\naddopts = ["-m", "not slow"]\ntestpaths = ["a"]\n' })
    const legacy = await configOf({ 'pyproject.toml': '[tool.pytest.ini_options]\naddopts = "-m \'not slow\'"\n' })
    expect(own).toMatchObject({ addopts: ['-m', 'not slow'], testpaths: ['a'] })
    expect(legacy).toMatchObject({ addopts: ['-m', 'not slow'] })
  })

  it('that is strict is relaxed, and keeps the plug-in that its cache key needs [I15]', async () => {
    const config = await configOf({
      'pytest.ini': '[pytest]\nstrict = true\ncache_dir = .c\nfilterwarnings =\n    error\n',
    })
    expect(pytestAddopts(config)).toBe(
      "-o cache_dir=/tmp/pytest-cache -o strict=false -W ignore::pytest.PytestDeprecationWarning -W 'ignore:Exception ignored'",
    )
  })
})

describe('shell words', () => {
  for (const words of [['a'], ['a b', ''], [`it's "x"`, '\\'], ['-k', 'a or\tb'], ['$HOME', '`id`', 'é']])
    it(`survive a round trip: ${JSON.stringify(words)}`, () => expect(splitWords(joinWords(words))).toEqual(words))

  it('with an open quote are none', () => expect(splitWords('a "b')).toBeUndefined())
})
