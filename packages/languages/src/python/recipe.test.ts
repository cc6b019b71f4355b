import type { Recipe } from '@r2e/spec'
import { describe, expect, it } from 'vitest'
import { recipeInput } from '../__fixtures__/recipe-input.ts'
import { pythonRecipes } from './recipe.ts'

const test = 'def test_a():\n    assert True\n'

async function recipesOf(files: Record<string, string>, tag?: string): Promise<readonly Recipe[]> {
  return pythonRecipes(recipeInput({ 'tests/test_a.py': test, ...files }, tag))
}

function file(recipe: Recipe | undefined, path: string): string[] | undefined {
  return recipe?.files
    .find((entry) => entry.path === path)
    ?.text.trimEnd()
    .split('\n')
}

interface Shape {
  readonly title: string
  readonly files: Record<string, string>
  readonly requirements: readonly string[]
  readonly constraints?: readonly string[]
  readonly loose?: readonly string[]
}

const shapes: readonly Shape[] = [
  {
    title: 'takes PEP 621 dependencies and the test extra, not the one for developers',
    files: {
      'pyproject.toml': `
[build-system]
requires = ["setuptools>=61"]
build-backend = "setuptools.build_meta"
[project]
name = "My_App"
dependencies = ["requests>=2 ; python_version > '3.7'", "rich[all]~=13.0"]
[project.optional-dependencies]
test = ["pytest>=7", "my-app[speed]"]
speed = ["orjson"]
dev = ["black"]
`,
    },
    requirements: [
      "requests>=2 ; python_version > '3.7'",
      'rich[all]~=13.0',
      'pytest>=7',
      'orjson',
      'setuptools>=61',
      'wheel',
    ],
  },
  {
    title: 'reads dependency groups with the groups they include [I11]',
    files: {
      'pyproject.toml': `
[build-system]
requires = ["hatchling", "hatch-vcs"]
build-backend = "hatchling.build"
[project]
name = "x"
[dependency-groups]
base = ["pytest-timeout"]
tests = [{include-group = "base"}, "hypothesis", {include-group = "tests"}]
docs = ["sphinx"]
`,
    },
    requirements: ['pytest-timeout', 'hypothesis', 'hatchling', 'hatch-vcs', 'editables', 'wheel', 'pytest'],
  },
  {
    title: 'holds what the declared ones reach at the versions of uv.lock, and drops them in the next recipe',
    files: {
      'pyproject.toml': '[project]\nname = "x"\ndependencies = ["a"]\n[tool.uv.sources]\nb = {path = "../b"}\n',
      'uv.lock': `
version = 1
[[package]]
name = "a"
version = "1.0"
source = { registry = "https://pypi.org/simple" }
dependencies = [{ name = "c" }, { name = "d", marker = "python_version < '3'" }]
[[package]]
name = "c"
version = "2.0"
source = { registry = "https://pypi.org/simple" }
resolution-markers = ["python_full_version >= '3.12'"]
[[package]]
name = "c"
version = "1.0"
source = { registry = "https://pypi.org/simple" }
resolution-markers = ["python_full_version < '3.12'"]
[[package]]
name = "d"
version = "3.0"
source = { git = "https://example.org/d" }
[[package]]
name = "unreached"
version = "9"
source = { registry = "https://pypi.org/simple" }
[[package]]
name = "pytest"
version = "8.1.0"
source = { registry = "https://pypi.org/simple" }
[[package]]
name = "x"
version = "0"
source = { editable = "." }
`,
    },
    requirements: ['a', 'setuptools<81', 'wheel', 'pytest'],
    constraints: [
      'a==1.0',
      "c==2.0 ; python_full_version >= '3.12'",
      "c==1.0 ; python_full_version < '3.12'",
      'pytest==8.1.0',
    ],
    loose: ['a', 'setuptools<81', 'wheel', 'pytest'],
  },
  {
    title: 'prefers the compiled test file, without hashes, options, paths and editable lines',
    files: {
      'setup.py': 'from setuptools import setup\nsetup(name="x", install_requires=["click>=7"])\n',
      'requirements/tests.in': 'pytest\n',
      'requirements/tests.txt': [
        '--index-url https://evil.example/simple',
        '-r common.txt',
        '-e .',
        './vendored',
        'pytest==8.0.0 \\',
        '    --hash=sha256:00',
        '    # via -r tests.in',
        'attrs==23.1.0 ; python_version >= "3.7"  # via pytest',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: as pip expands it
        'secret-${TOKEN}',
      ].join('\n'),
      'requirements/common.txt': '-c limits.txt\nsix\n-r tests.txt\n',
      'requirements/limits.txt': 'six<2\n',
    },
    requirements: [
      'click>=7',
      'six',
      'pytest==8.0.0',
      'attrs==23.1.0 ; python_version >= "3.7"',
      'setuptools<70',
      'wheel',
    ],
    constraints: ['six<2'],
    loose: ['click>=7', 'six', 'pytest', 'attrs ; python_version >= "3.7"', 'setuptools<70', 'wheel'],
  },
  {
    title: 'reads poetry tables: carets, tildes, extras, git sources, groups; leaves paths and optional ones out',
    files: {
      'pyproject.toml': `
[build-system]
requires = ["poetry-core"]
build-backend = "poetry.core.masonry.api"
[tool.poetry]
name = "x"
[tool.poetry.dependencies]
python = "^3.9"
a = "^1.2.3"
b = "~0.4"
c = {version = "^0.0.3", extras = ["z"], markers = "sys_platform == 'linux'"}
d = {git = "https://example.org/d", tag = "v1"}
e = {path = "../e"}
f = {version = "1.0", optional = true}
g = "*"
[tool.poetry.group.test.dependencies]
pytest-mock = "3.10.0"
[tool.poetry.group.dev.dependencies]
black = "*"
`,
    },
    requirements: [
      'a>=1.2.3,<2',
      'b>=0.4,<0.5',
      "c[z]>=0.0.3,<0.0.4 ; sys_platform == 'linux'",
      'd @ git+https://example.org/d@v1',
      'g',
      'pytest-mock==3.10.0',
      'poetry-core',
      'wheel',
      'pytest',
    ],
  },
  {
    title: 'reads setup.cfg tables',
    files: {
      'setup.cfg': `
[metadata]
name = x
[options]
install_requires =
    # a comment
    numpy>=1.20
    toml; python_version<"3.11"
setup_requires = cython
[options.extras_require]
testing =
    pytest-cov
docs = sphinx
`,
      'setup.py': 'import setuptools; setuptools.setup()\n',
    },
    requirements: [
      'numpy>=1.20',
      'toml ; python_version<"3.11"',
      'pytest-cov',
      'cython',
      'setuptools<70',
      'wheel',
      'pytest',
    ],
  },
  {
    title: 'reads the literals of setup.py without running it',
    files: {
      'setup.py': `
import os
from setuptools import setup
requires = [
    'a>=1',  # 'no'
    "b" "c",
    os.environ['X'],
    'e' + VERSION,
]
setup(
    name='x', version=open('v').read(),
    install_requires=requires,
    extras_require={'test': ['nose2'], 'docs': ['sphinx'], **more},
    tests_require=['mock'],
)
`,
    },
    requirements: ['a>=1', 'bc', 'nose2', 'mock', 'setuptools<70', 'wheel', 'pytest'],
  },
  {
    title: 'takes the dependencies of tox, conditional lines left out',
    files: {
      'tox.ini': '[testenv]\ndeps =\n    -r{toxinidir}/req/ci.txt\n    py27: mock\n    coverage\n',
      'req/ci.txt': 'zope\n',
    },
    requirements: ['zope', 'coverage', 'pytest'],
  },
  {
    title: 'takes lines of tox that hold where no factor is set',
    files: {
      'tox.ini':
        '[testenv]\ndeps =\n    !latest: a>=1\n    !x-!y: b\n    latest: c\n    {py38,py39}-x: d\n    e @ https://x.test/e.zip\n',
    },
    requirements: ['a>=1', 'b', 'e @ https://x.test/e.zip', 'pytest'],
  },
  {
    title: 'takes the extras of the project that tox names',
    files: {
      'setup.cfg': '[metadata]\nname = x\n[options.extras_require]\nyaml = ruamel\nfast = orjson\ndocs = sphinx\n',
      'tox.ini': '[testenv]\nextras =\n    yaml, fast\n    py27: docs\n',
    },
    requirements: ['ruamel', 'orjson', 'setuptools<70', 'wheel', 'pytest'],
  },
  {
    title: 'takes the extras of the project that the table of tox names',
    files: {
      'pyproject.toml':
        '[project]\nname = "x"\n[project.optional-dependencies]\nyaml = ["ruamel"]\n[tool.tox.env_run_base]\nextras = ["yaml"]\ndeps = ["a"]\n',
    },
    requirements: ['a', 'ruamel', 'setuptools<81', 'wheel', 'pytest'],
  },
  {
    title: 'takes the extras of the project that a requirements file names by its place',
    files: {
      'setup.py': 'setup(name=NAME, extras_require={"yaml": ["ruamel"], "a": ["b"], "c": ["d"]})',
      'requirements-test.txt': '-e .[yaml]\n.[c]\n-e git+https://x.test/y.git#egg=y[a]\n--editable=".[a , c]"\n',
    },
    requirements: ['ruamel', 'd', 'b', 'setuptools<70', 'wheel', 'pytest'],
  },
  {
    title: 'reads Pipfile and its lock',
    files: {
      Pipfile: '[packages]\nflask = "*"\n[dev-packages]\npytest = ">=7"\n[requires]\npython_version = "3.11"\n',
      'Pipfile.lock': '{"default": {"flask": {"version": "==2.0"}}, "develop": {"pytest": {"version": "==7.4.0"}}}',
    },
    requirements: ['flask', 'pytest>=7'],
    constraints: ['flask==2.0', 'pytest==7.4.0'],
    loose: ['flask', 'pytest>=7'],
  },
  {
    title: 'adds known libraries that tests import and plug-ins that the configuration names',
    files: {
      'requirements.txt': 'django\n',
      'pytest.ini': '[pytest]\nDJANGO_SETTINGS_MODULE = s\naddopts = --timeout=30 --cov=x\n',
      'tests/test_b.py': 'import freezegun, os\nfrom unknown_evil import x\ndef test_b(mocker): pass\n',
    },
    requirements: ['django', 'pytest', 'pytest-timeout', 'pytest-django', 'freezegun', 'pytest-mock'],
  },
  {
    title: 'joins groups of one name: extras, dependency groups, pdm, hatch and poetry',
    files: {
      'pyproject.toml': `
[project]
name = "x"
[project.optional-dependencies]
test = ["a", "b"]
[dependency-groups]
test = ["b", "c"]
[tool.pdm.dev-dependencies]
test = ["d"]
[tool.hatch.envs.test]
dependencies = ["e"]
[tool.hatch.envs.hatch-test]
extra-dependencies = ["f"]
[tool.poetry.group.test.dependencies]
g = "*"
`,
    },
    requirements: ['a', 'b', 'c', 'd', 'f', 'e', 'g', 'setuptools<81', 'wheel', 'pytest'],
  },
  {
    title: 'keeps the dependencies for developers of uv, and those of hatch beside an extra',
    files: {
      'pyproject.toml': `
[project]
name = "x"
[project.optional-dependencies]
dev = ["a"]
[tool.uv]
dev-dependencies = ["pytest", "anyio", "dirty-equals"]
[tool.hatch.envs.default]
dependencies = ["b"]
`,
    },
    requirements: ['a', 'b', 'pytest', 'anyio', 'dirty-equals', 'setuptools<81', 'wheel'],
  },
  {
    title: 'takes the newest of the alternatives of poetry',
    files: { 'pyproject.toml': '[tool.poetry]\nname = "x"\n[tool.poetry.dependencies]\na = "^1.2 || ^2.0"\n' },
    requirements: ['a>=2.0,<3', 'pytest'],
  },
  {
    title: 'reads the requirements in the folder of the tests',
    files: { 'tests/requirements.txt': '-r extra.txt\na\n', 'tests/extra.txt': 'b\n', 'tests/test.txt': 'c\n' },
    requirements: ['b', 'a', 'pytest'],
  },
  {
    title: 'reads the requirements of developers in the folder of the tests where there are no others',
    files: { 'test/requirements-dev.txt': 'a\n', 'test/dev.txt': 'b\n' },
    requirements: ['a', 'pytest'],
  },
  {
    title: 'takes what the test sessions of nox install, literal and without a condition',
    files: {
      'setup.cfg': '[metadata]\nname = x\n[options.extras_require]\nyaml = ruamel\nfast = orjson\n',
      'pyproject.toml': '[dependency-groups]\nweb = ["flask"]\n',
      'requirements/all.txt': 'd\n',
      'noxfile.py': `
import nox
DEPENDENCIES = ["b>=1", "c"]
TYPED: list[str] = ["h"]

@nox.session(python=["3.9", "3.13"])
@nox.parametrize("django", ["4", "5"])
def tests(session: nox.Session, django) -> None:
    """Runs
    session.install("docstring")"""
    session.install("a", "e[f]~=2.0", *DEPENDENCIES, *TYPED, silent=True)  # session.install("comment")
    session.install("-r", "requirements/all.txt", "-c", "limits", "--index-url=https://evil.example", "-e.[fast]", ".")
    session.install("-e", ".[yaml]", f"django=={django}", "g" if session.posargs else "z", unknown, *unknown, "x" + "y")
    if session.python == "3.9":
        session.install("conditional")
    session.run("pytest", "installed")

@nox.session(name="test-more")
def more(s): s.install("inline")

@nox.session(name="test-web")
def web(s):
    s.install("--group", "web", "-U", "i")

@nox.session
def docs(session):
    session.install("sphinx")
`,
    },
    requirements: [
      'a',
      'e[f]~=2.0',
      'b>=1',
      'c',
      'h',
      'd',
      'orjson',
      'ruamel',
      'i',
      'flask',
      'setuptools<70',
      'wheel',
      'pytest',
    ],
  },
  {
    title: 'takes what every session of nox installs where none is named after tests',
    files: { 'noxfile.py': '@nox.session\ndef a(s):\n    s.install("b")\n@session()\ndef c(s):\n    s.install("d")\n' },
    requirements: ['b', 'd', 'pytest'],
  },
  { title: 'needs nothing but pytest where nothing is declared', files: {}, requirements: ['pytest'] },
  {
    title: 'survives broken manifests',
    files: { 'pyproject.toml': '[project\n', 'setup.py': '((((' },
    requirements: ['setuptools<70', 'wheel', 'pytest'],
  },
]

describe('requirements of a recipe', () => {
  for (const { title, files, requirements, constraints, loose } of shapes)
    it(title, async () => {
      const [first, second] = await recipesOf(files)
      expect(file(first, 'requirements.txt')).toEqual(requirements)
      expect(file(first, 'constraints.txt')).toEqual(constraints)
      if (loose) expect(file(second, 'requirements.txt')).toEqual(loose)
      if (loose) expect(file(second, 'constraints.txt')).toBeUndefined()
    })
})

/** A package that holds a test. */
function member(folder: string, name: string, toml: string): Record<string, string> {
  const build = '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n'
  const manifest = `${build}[project]\nname = "${name}"\n${toml}`
  return { [`${folder}/pyproject.toml`]: manifest, [`${folder}/tests/test_x.py`]: test }
}

interface Monorepo {
  readonly title: string
  readonly files: Record<string, string>
  readonly requirements: readonly string[]
  /** Folders that are installed, by the steps that do it. */
  readonly installed: readonly (readonly string[])[]
  /** Folders that are linked; undefined where nothing is. */
  readonly linked?: readonly string[]
}

const core = member('libs/core', 'acme.core', 'dependencies = ["attrs"]\noptional-dependencies.fast = ["orjson"]\n')
const cli = member(
  'libs/cli',
  'acme-cli',
  'dependencies = ["acme_core[fast]>=1", "click"]\n[dependency-groups]\ntest = ["hypothesis"]\n',
)
const workspace = '[tool.uv.workspace]\nmembers = ["libs/*"]\nexclude = ["libs/old*"]\n'
const built = ['hatchling', 'editables', 'wheel', 'pytest']

const monorepos: readonly Monorepo[] = [
  {
    title: 'the members of a uv workspace that hold tests, and links its root, which is no package',
    files: {
      'pyproject.toml': `[project]\nname = "root"\ndependencies = ["six"]\n[dependency-groups]\ndev = ["pytest-mock"]\n${workspace}`,
      ...core,
      ...cli,
      ...member('libs/old-one', 'old', 'dependencies = ["a"]\n'),
      ...member('other/one', 'other', 'dependencies = ["b"]\n'),
      'libs/unused/pyproject.toml': '[project]\nname = "unused"\ndependencies = ["c"]\n',
    },
    requirements: ['six', 'orjson', 'click', 'attrs', 'pytest-mock', 'hypothesis', ...built],
    installed: [['libs/cli', 'libs/core']],
    linked: [],
  },
  {
    title: 'members that others name, though they hold no tests',
    files: {
      'pyproject.toml': `[tool.uv.sources]\nbase = {workspace = true}\n${workspace}`,
      ...member('libs/a', 'a', 'dependencies = ["base"]\n'),
      'libs/b/setup.py': 'setup(name="base", install_requires=["attrs"])',
    },
    requirements: ['attrs', 'hatchling', 'setuptools<70', 'editables', 'wheel', 'pytest'],
    installed: [['libs/a'], ['libs/b']],
    linked: [],
  },
  {
    title: 'every member of a workspace whose tests lie beside them',
    files: {
      'pyproject.toml': workspace,
      'tests/test_a.py': test,
      ...core,
      'libs/b/pyproject.toml': '[project]\nname = "b"\ndependencies = ["b2"]\n',
    },
    requirements: ['b2', 'attrs', 'hatchling', 'setuptools<81', 'editables', 'wheel', 'pytest'],
    installed: [['libs/b'], ['libs/core']],
    linked: [],
  },
  {
    title: 'every project where tests lie beside them',
    files: { ...core, 'tests/test_all.py': test, 'b/requirements.txt': 'b2\n' },
    requirements: ['b2', 'attrs', ...built],
    installed: [['libs/core']],
    linked: ['b'],
  },
  {
    title: 'a workspace below the root',
    files: { 'python/pyproject.toml': workspace, ...member('python/libs/a', 'a', ''), 'web/setup.py': 'setup()' },
    requirements: built,
    installed: [['python/libs/a']],
    linked: ['python'],
  },
  {
    title: 'projects side by side that hold tests',
    files: { ...core, ...cli, 'tools/requirements.txt': 'unused\n' },
    requirements: ['orjson', 'click', 'attrs', 'hypothesis', ...built],
    installed: [['libs/cli', 'libs/core']],
  },
  {
    title: 'projects side by side below a root that only configures tools',
    files: { 'pyproject.toml': '[tool.ruff]\n', 'requirements-dev.txt': 'pytest-mock\n', ...core, ...cli },
    requirements: ['orjson', 'click', 'attrs', 'pytest-mock', 'hypothesis', ...built],
    installed: [['libs/cli', 'libs/core']],
    linked: [],
  },
  {
    title: 'poetry projects that name each other by path',
    files: {
      'pyproject.toml': '[tool.poetry]\npackage-mode = false\n',
      'a/pyproject.toml':
        '[tool.poetry]\nname = "a"\n[tool.poetry.dependencies]\nb = {path = "../b", develop = true}\n',
      'a/test_a.py': test,
      'b/pyproject.toml': '[tool.poetry]\nname = "b"\n[tool.poetry.dependencies]\nc = "^1.0"\n',
    },
    requirements: ['c>=1.0,<2', 'pytest'],
    installed: [],
    linked: ['a', 'b'],
  },
  {
    title: 'a project at the root alone, whatever lies below it',
    files: { 'setup.py': 'setup(name="x")', ...core },
    requirements: ['setuptools<70', 'wheel', 'pytest'],
    installed: [['']],
  },
]

describe('the environment of several projects holds', () => {
  for (const { title, files, requirements, installed, linked } of monorepos)
    it(title, async () => {
      const [first] = await pythonRecipes(recipeInput(files))
      expect(file(first, 'requirements.txt')).toEqual(requirements)
      const folders = [file(first, 'project.txt'), file(first, 'project-2.txt')].filter((lines) => lines !== undefined)
      expect(folders).toEqual(installed.map((step) => step.map((folder) => `-e ./${folder}`)))
      expect(file(first, 'link_project.py') && (file(first, 'folders.txt') ?? [])).toEqual(linked)
    })

  it('nothing that an older setuptools setting would break: each kind of back end is installed by itself', async () => {
    const [first] = await pythonRecipes(recipeInput({ ...core, 'b/setup.py': 'setup(name="b")', 'b/test_b.py': test }))
    expect(first!.project.map(({ run }) => /(editable_mode=compat )?-r (\S+)$/.exec(run)?.[0])).toEqual([
      'editable_mode=compat -r /r2e/project.txt',
      '-r /r2e/project-2.txt',
    ])
  })

  it('what each lock pins, where they do not disagree', async () => {
    const lock = (b: string) =>
      `[[package]]\nname = "attrs"\nversion = "1"\n[[package]]\nname = "click"\nversion = "${b}"\n`
    const files = { ...core, ...cli, 'libs/core/poetry.lock': lock('1'), 'libs/cli/poetry.lock': lock('2') }
    const [first] = await pythonRecipes(recipeInput(files))
    expect(file(first, 'constraints.txt')).toEqual(['attrs==1'])
  })

  it('in the end only the one with the most tests and what it names', async () => {
    const recipes = await pythonRecipes(
      recipeInput({
        ...core,
        ...cli,
        'libs/cli/tests/test_y.py': test,
        'web/requirements.txt': 'flask\n',
        'web/test_w.py': test,
      }),
    )
    const flask = recipes.map((recipe) => file(recipe, 'requirements.txt')!.includes('flask'))
    expect(flask).toEqual([true, true, false, false])
    expect(file(recipes[2], 'project.txt')).toEqual(['-e ./libs/cli', '-e ./libs/core'])
  })
})

describe('steps of a recipe', () => {
  it('carries no text of the repository into a command', async () => {
    const hostile = '$(touch /tmp/owned); `id`'
    const recipes = await recipesOf({
      'pyproject.toml': `[project]\nname = "${hostile}"\ndependencies = ["${hostile}", "ok; python_version > '3' $(id)"]\n`,
      [`${hostile}/setup.py`]: 'setup()',
      'requirements.txt': `x @ https://example.org/$(id)\n${hostile}\n`,
    })
    const commands = recipes.flatMap((recipe) => [...recipe.dependencies, ...recipe.project, ...recipe.setup])
    for (const { run } of commands) expect(run).not.toMatch(/touch|\bid\b|`/)
  })

  it('installs dependencies with the network and the project without', async () => {
    const [first] = await recipesOf({ 'setup.py': 'setup(name="x")' })
    expect(first!.dependencies.every((step) => step.network)).toBe(true)
    expect(first!.project.map((step) => step.network)).toEqual([false])
    expect(first!.project[0]!.run).toContain('--no-index --no-build-isolation --no-deps')
  })

  it('links the work tree where there is nothing to install', async () => {
    const [first] = await recipesOf({
      'requirements.txt': 'flask\n',
      'pyproject.toml': '[tool.black]\nline-length = 100\n',
    })
    expect(first!.project[0]!.run).toBe('/opt/venv/bin/python /r2e/link_project.py')
  })

  it('ends with the run-time dependencies alone', async () => {
    const recipes = await recipesOf({
      'setup.py': 'setup(install_requires=["a==1"])',
      'requirements-test.txt': 'broken==0.0.0\n',
    })
    expect(recipes).toHaveLength(3)
    expect(file(recipes[2], 'requirements.txt')).toEqual(['a', 'pytest'])
    expect(file(recipes[2], 'link_project.py')).toBeDefined()
  })

  it('leaves tools that no test needs to the first recipe', async () => {
    const recipes = await recipesOf({ 'requirements-dev.txt': 'mypy==0.9\nsphinx-tabs\npyyaml==6.0\n' })
    expect(recipes.slice(0, 2).map((recipe) => file(recipe, 'requirements.txt'))).toEqual([
      ['mypy==0.9', 'sphinx-tabs', 'pyyaml==6.0', 'pytest'],
      ['pyyaml', 'pytest'],
    ])
  })

  it('finds the project in a subfolder where the root has none', async () => {
    const [first] = await recipesOf({
      'python/pyproject.toml': '[project]\nname = "x"\ndependencies = ["a"]\n',
      'docs/setup.py': '',
    })
    expect(file(first, 'project.txt')).toEqual(['-e ./python'])
    expect(file(first, 'requirements.txt')).toContain('a')
  })

  it('gives a version to a build that reads it from git [G14 I11]', async () => {
    const files = {
      'pyproject.toml': '[build-system]\nrequires = ["setuptools", "setuptools_scm[toml]"]\n[project]\nname="x"\n',
    }
    expect((await recipesOf(files, 'release-2.10.1rc1'))[0]!.env).toMatchObject({
      SETUPTOOLS_SCM_PRETEND_VERSION: '2.10.1rc1',
    })
    expect((await recipesOf(files))[0]!.env).toMatchObject({ SETUPTOOLS_SCM_PRETEND_VERSION: '0.0.0' })
    expect((await recipesOf({}, 'v9'))[0]!.env).not.toHaveProperty('SETUPTOOLS_SCM_PRETEND_VERSION')
  })

  it('offers the standard library alone for a suite of plain unittest cases', async () => {
    const recipes = await recipesOf({
      'tests/test_a.py': 'import unittest\nclass T(unittest.TestCase):\n    def test_a(self): pass\n',
    })
    expect(recipes.map((recipe) => recipe.runner)).toEqual(['pytest', 'unittest'])
    expect(recipes[1]!.suite).toEqual(['tests/test_a.py'])
    expect(recipes[1]!.dependencies.every((step) => !step.network)).toBe(true)
  })

  it('offers no bare interpreter to a suite whose project needs something', async () => {
    const recipes = await recipesOf({
      'requirements.txt': 'click\n',
      'tests/test_a.py': 'import unittest\nclass T(unittest.TestCase):\n    def test_a(self): pass\n',
    })
    expect(recipes.map((recipe) => recipe.runner)).not.toContain('unittest')
  })

  it("begins with Django's own runner where a Django project does not speak of pytest [B10]", async () => {
    const files = {
      'requirements.txt': 'django\n',
      'site/manage.py': '',
      'site/shop/tests.py': 'from unittest import mock\nfrom django.test import TestCase\n',
    }
    const [first, ...rest] = await recipesOf(files)
    expect(first).toMatchObject({ runner: 'django', suite: ['site/manage.py'] })
    expect(rest.at(-1)!.runner).toBe('pytest')
    const runners = async (more: Readonly<Record<string, string>>) =>
      (await recipesOf({ ...files, ...more })).map((recipe) => recipe.runner)
    expect(await runners({ 'pytest.ini': '[pytest]\n' })).not.toContain('django')
    expect(await runners({ 'requirements-test.txt': 'pytest-django\npytest\n' })).not.toContain('django')
  })

  describe("starts Django's own runner with the settings of the tests where there is no manage.py [B10]", () => {
    const tox = '[testenv]\ndeps =\n    django52: Django>=5.2,<6\n    !latest: djangorestframework\n'
    const own = { 'tests/settings.py': '', 'tests/__init__.py': '' }
    const rows: readonly [title: string, files: Record<string, string>, start?: string, settings?: string][] = [
      ['a dependency', { ...own, 'requirements.txt': 'Django\n' }, '.', 'tests.settings'],
      ['a factor of tox', { ...own, 'tox.ini': tox }, '.', 'tests.settings'],
      [
        'an extra',
        { ...own, 'setup.py': 'setup(name="x", extras_require={"web": ["django"]})' },
        '.',
        'tests.settings',
      ],
      [
        'a package of tests in a package',
        {
          'requirements.txt': 'django\n',
          'src/a/__init__.py': '',
          'src/a/test/test_settings.py': '',
          'src/a/test/test_b.py': test,
        },
        'src',
        'a.test.test_settings',
      ],
      ['two settings', { ...own, 'requirements.txt': 'django\n', 'x/tests/settings.py': '' }],
      ['a configured pytest', { ...own, 'requirements.txt': 'django\n', 'pytest.ini': '[pytest]\n' }],
      ['tests that import pytest', { ...own, 'requirements.txt': 'django\n', 'tests/test_b.py': 'import pytest\n' }],
      ['no word of Django', own],
    ]
    for (const [title, files, start, settings] of rows)
      it(`${start === undefined ? 'not with' : 'with'} ${title}`, async () => {
        const [first] = await recipesOf(files)
        expect(first!.runner).toBe(start === undefined ? 'pytest' : 'django')
        if (start === undefined) return
        expect(first).toMatchObject({ suite: [start], testEnv: { DJANGO_SETTINGS_MODULE: settings } })
        expect(file(first, 'requirements.txt')?.join()).toMatch(/(?:^|,)django\b/)
      })
  })

  it('asks for the Debian packages that a dependency is built with', async () => {
    expect((await recipesOf({ 'requirements.txt': 'psycopg2\nlxml\n' }))[0]!.system).toEqual([
      'build-essential',
      'libpq-dev',
      'libxml2-dev',
      'libxslt1-dev',
      'python3-dev',
    ])
  })

  it('changes with the manifests of the commit, and names them [I1 W15]', async () => {
    const [before] = await recipesOf({ 'requirements.txt': 'a==1\n' })
    const [after] = await recipesOf({ 'requirements.txt': 'a==1\nb==2\n' })
    expect(before!.manifests).toEqual(['requirements.txt'])
    expect(after!.files).not.toEqual(before!.files)
  })
})
