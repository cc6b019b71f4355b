import type { Recipe } from '@r2e/spec'
import { describe, expect, it } from 'vitest'
import { recipeInput } from '../__fixtures__/recipe-input.ts'
import { djangoRunner } from './django-runner.ts'
import { pytestRunner } from './pytest-runner.ts'
import { pythonRecipes } from './recipe.ts'
import { unittestRunner } from './unittest-runner.ts'

const [recipe] = (await pythonRecipes(recipeInput({ 'tests/test_a.py': '', 'pkg/test_b.py': '' }))) as [Recipe]
const pathsOf = (argv: readonly string[]) => argv.slice(argv.indexOf('no:randomly') + 1)

describe('the pytest command', () => {
  it('asks for an XML report whatever the project configures [B2 B4 B18 W7]', () => {
    expect(pytestRunner.suite(recipe)).toMatchInlineSnapshot(`
      [
        {
          "argv": [
            "/opt/venv/bin/python",
            "-m",
            "pytest",
            "--rootdir=.",
            "--junitxml={report}/0.xml",
            "-o",
            "addopts=",
            "-o",
            "junit_family=xunit1",
            "-o",
            "junit_logging=no",
            "--continue-on-collection-errors",
            "--color=no",
            "-p",
            "no:randomly",
            "pkg",
            "tests",
          ],
          "report": "0.xml",
        },
      ]
    `)
  })

  it('covers hidden files outside the suite too', () => {
    const rest = pytestRunner.suite({ ...recipe, suite: ['test_a.py', 'tests'] }, [], (path) => path === 'test_a.py')
    expect(rest[0]!.argv.at(-1)).toBe('tests')
    const [command] = pytestRunner.suite(recipe, ['tests/test_new.py', 'other/test_c.py', 'other/data.json'])
    expect(pathsOf(command!.argv)).toEqual(['pkg', 'tests', 'other/test_c.py'])
  })

  it('runs modules only, and the folders of other files where no module was touched', () => {
    const run = (paths: string[]) => pathsOf(pytestRunner.files(recipe, paths)[0]!.argv)
    expect(run(['tests/test_a.py', 'tests/conftest.py', 'tests/data.json'])).toEqual(['tests/test_a.py'])
    expect(run(['tests/conftest.py', 'tests/x/data.json'])).toEqual(['tests', 'tests/x'])
    expect(run(['-x/test_a.py', 'a[b]/test_a.py'])).toEqual(['./-x/test_a.py', 'a[b]'])
  })

  it('never grows beyond a safe length [D13]', () => {
    const paths = Array.from({ length: 3000 }, (_, index) => `tests/very/long/folder/test_module_${index}.py`)
    const commands = pytestRunner.files(recipe, paths)
    expect(commands.flatMap(({ argv }) => pathsOf(argv))).toEqual(paths)
    expect(new Set(commands.map(({ report }) => report)).size).toBe(commands.length)
    for (const { argv } of commands) expect(argv.join(' ').length).toBeLessThan(32_000)
  })

  it('is replaced by the one of the user, its selection appended', () => {
    const own = { ...recipe, testCommand: ['env', 'X=1', 'pytest'] }
    expect(pytestRunner.suite(own)[0]!.argv.slice(0, 4)).toEqual(['env', 'X=1', 'pytest', '--rootdir=.'])
  })

  const selectors: Readonly<Record<string, string>> = {
    'tests/test_a.py::TestC::test_m[a b]': 'tests/test_a.py::TestC::test_m[a b]',
    'tests/test_a.py::t[[a b]-[c]]': 'tests/test_a.py::t[[a b]-[c]]',
    'my tests/test_a.py::t[$(id) é "x"]': 'my tests/test_a.py::t[$(id) é "x"]',
    '-k/test_a.py::t': './-k/test_a.py::t',
    'tests/test_a.py::t[\\x1b]': 'tests/test_a.py',
    'tests/test_a.py::t[a\nb]': 'tests/test_a.py',
    'tests/test_a.py::t #2': 'tests/test_a.py',
    [`tests/test_a.py::t[${'x'.repeat(10_000)}]`]: 'tests/test_a.py',
    'tests/test_a.py': 'tests/test_a.py',
  }
  for (const [id, selector] of Object.entries(selectors))
    it(`selects ${JSON.stringify(id.slice(0, 40))} [B7 P1 P16 P17 P19 L11]`, () =>
      expect(pathsOf(pytestRunner.select(recipe, id).argv)).toEqual([selector]))
})

describe('the unittest command', () => {
  it('names modules by file and leaves JSON lines', () => {
    expect(unittestRunner.files(recipe, ['tests/test_a.py', 'tests/data.json'])).toEqual([
      {
        argv: [
          '/opt/venv/bin/python',
          '{tests}/reporters/unittest_events.py',
          '--out',
          '{report}/0.jsonl',
          'tests/test_a.py',
        ],
        report: '0.jsonl',
      },
    ])
    const own = { ...recipe, testCommand: ['python3', '-X', 'dev', '-m', 'unittest', '-b'] }
    expect(unittestRunner.select(own, 'a.C.m').argv).toEqual([
      'python3',
      '-X',
      'dev',
      '{tests}/reporters/unittest_events.py',
      '--out',
      '{report}/0.jsonl',
      '-b',
      'a.C.m',
    ])
    expect(unittestRunner.select(recipe, 'tests.test_a.Case.test_m').argv.at(-1)).toBe('tests.test_a.Case.test_m')
  })

  it('starts with any other command as well, which is never replaced in silence [B1]', () => {
    const own = { ...recipe, testCommand: ['env', 'A=1', 'python3'] }
    expect(unittestRunner.select(own, 'a.C.m').argv.slice(0, 4)).toEqual([
      ...['env', 'A=1', 'python3', '{tests}/reporters/unittest_events.py'],
    ])
  })
})

describe("the command of Django's runner", () => {
  const django: Recipe = { ...recipe, runner: 'django', suite: ['site/manage.py'] }

  it('runs in the folder of manage.py and names modules from there [B10]', () => {
    const [command] = djangoRunner.files(django, ['site/shop/tests/test_a.py', 'site/shop/a.py', 'other/test_b.py'])
    expect(command).toEqual({
      argv: [
        ...['env', '-C', 'site', 'R2E_EVENTS={report}/0.jsonl', 'PYTHONPATH={tests}/reporters'],
        ...['/opt/venv/bin/python', 'manage.py', 'test'],
        ...['--testrunner', 'unittest_events.DjangoRunner', '--noinput', 'shop.tests.test_a'],
      ],
      report: '0.jsonl',
    })
    expect(djangoRunner.select(django, 'shop.tests.test_a.Case.test_m').argv.at(-1)).toBe(
      'shop.tests.test_a.Case.test_m',
    )
  })

  it('runs in the folder of the project where there is no manage.py [B10]', () => {
    const programs = (start: string) => {
      const [command] = djangoRunner.files({ ...django, suite: [start] }, ['src/a/tests/test_a.py'])
      return command!.argv.filter((word) => !/[{=]|--/.test(word))
    }
    expect(programs('.')).toEqual([
      ...['env', '/opt/venv/bin/python', '-m', 'django', 'test'],
      ...['unittest_events.DjangoRunner', 'src.a.tests.test_a'],
    ])
    expect(programs('src')).toEqual([
      ...['env', '-C', 'src', '/opt/venv/bin/python', '-m', 'django', 'test'],
      ...['unittest_events.DjangoRunner', 'a.tests.test_a'],
    ])
  })

  it('covers everything where no module can be named', () => {
    const whole = djangoRunner.suite(django)
    expect(whole[0]!.argv.at(-1)).toBe('--noinput')
    expect(djangoRunner.files(django, ['site/shop/test-odd.py'])).toEqual(whole)
  })
})
