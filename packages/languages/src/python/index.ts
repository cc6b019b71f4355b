import type { LanguagePack } from '@r2e/spec'
import { weigh } from '../weight.ts'
import { djangoRunner } from './django-runner.ts'
import { pythonOwnsTest } from './owns-test.ts'
import { pytestRunner } from './pytest-runner.ts'
import { pythonRecipes } from './recipe.ts'
import { pythonRole } from './roles.ts'
import { pythonTestCases } from './test-cases.ts'
import { unittestRunner } from './unittest-runner.ts'

const manifests = ['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', 'tox.ini', 'Pipfile']
const locks = ['uv.lock', 'poetry.lock', 'pdm.lock', 'Pipfile.lock']
const pytestFiles = ['pytest.ini', '.pytest.ini', 'pytest.toml', '.pytest.toml', 'tox.ini', 'setup.cfg']

export const pythonPack: LanguagePack = {
  contract: 'r2e.language/1',
  name: 'python',
  aliases: ['py', 'python3'],
  detect: (paths) => weigh(paths, { files: /\.(py|pyx)$/, manifests, locks }),
  role: pythonRole,
  manifests: [
    ...manifests,
    ...locks,
    'requirements*.txt',
    'requirements*.in',
    'noxfile.py',
    '.python-version',
    'runtime.txt',
  ],
  runnerFiles: ['conftest.py', ...pytestFiles, 'pyproject.toml'],
  purge: {
    // Compiled files too: an unchecked one is loaded in place of the source that the grader wrote.
    names: ['conftest.py', 'test_*.py', '*_test.py', 'sitecustomize*', 'usercustomize*', '*.pyc', ...pytestFiles],
    folders: [],
    skip: ['.git', 'node_modules', '.venv', 'venv', '.tox', '.nox'],
  },
  testCases: (_path, source) => pythonTestCases(source),
  ownsTest: pythonOwnsTest,
  runners: [djangoRunner, pytestRunner, unittestRunner],
  recipes: pythonRecipes,
}
