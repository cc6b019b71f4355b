import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Recipe } from '@r2e/spec'
import { afterAll, describe, expect, it } from 'vitest'
import { recipeInput } from '../__fixtures__/recipe-input.ts'
import { pytestRunner } from './pytest-runner.ts'
import { pythonRecipes } from './recipe.ts'

/** A project whose configuration fights with every flag of ours, and whose dependencies come from the index. */
const project = {
  'pyproject.toml': `
[build-system]
requires = ["setuptools>=64"]
build-backend = "setuptools.build_meta"
[project]
name = "demo"
version = "1.0"
[tool.setuptools]
package-dir = {"" = "src"}
packages = ["demo"]
[tool.pytest.ini_options]
addopts = "-qq -x --strict-config --strict-markers --cov=demo --cov-fail-under=100 -n auto -m 'not slow' --lf"
cache_dir = ".odd"
markers = ["slow: slow"]
filterwarnings = ["error"]
`,
  'src/demo/__init__.py': 'VALUE = 1\n',
  'tests/test_broken.py': 'import absent_module\n',
  'tests/test_fails.py': 'def test_a_first():\n    assert False\n',
  'tests/test_passes.py': [
    'import pytest, demo',
    '@pytest.mark.parametrize("text", ["a b", "a - b"])',
    'def test_value(text): assert demo.VALUE == 1',
    '@pytest.mark.slow',
    'def test_slow(): assert False',
  ].join('\n'),
}

const scratch = mkdtempSync(join(tmpdir(), 'r2e-recipe-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

function writeAll(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** The recipe's own commands, with its two absolute folders moved below a scratch folder. */
function here(text: string): string {
  return text.replaceAll('/opt/venv', join(scratch, 'venv')).replaceAll('/r2e/', `${join(scratch, 'r2e')}/`)
}

function runSteps(recipe: Recipe, tree: string): void {
  for (const { run } of [...recipe.dependencies, ...recipe.project]) {
    const done = spawnSync('sh', ['-c', here(run)], { cwd: tree, encoding: 'utf8' })
    expect(done.status, `${run}\n${done.stdout}${done.stderr}`).toBe(0)
  }
}

describe('a recipe that is carried out', () => {
  it('shows every test of a project that asks for quiet, strict, covered, parallel and early-ending runs [B2 I15 L11]', async () => {
    const tree = join(scratch, 'app')
    const [recipe] = (await pythonRecipes(recipeInput(project))) as [Recipe]
    writeAll(tree, project)
    writeAll(join(scratch, 'r2e'), Object.fromEntries(recipe.files.map(({ path, text }) => [path, text])))
    runSteps(recipe, tree)
    const [command] = pytestRunner.suite(recipe)
    const argv = command!.argv.map((word) => here(word).replace('{report}', scratch))
    const env = { ...process.env, ...pytestRunner.env, ...recipe.testEnv }
    const run = spawnSync(argv[0]!, argv.slice(1), { cwd: tree, env, encoding: 'utf8' })
    expect(run.status, run.stdout + run.stderr).toBe(1)
    const report = readFileSync(join(scratch, command!.report), 'utf8')
    const cases = [...report.matchAll(/<testcase classname="([^"]*)" name="([^"]*)" file="([^"]*)"/g)]
    expect(cases.map(([, , name, file]) => `${file} ${name}`).sort()).toEqual([
      'tests/test_broken.py tests.test_broken',
      'tests/test_fails.py test_a_first',
      'tests/test_passes.py test_value[a - b]',
      'tests/test_passes.py test_value[a b]',
    ])
  }, 180_000)
})
