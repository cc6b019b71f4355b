import type { Recipe, RunCommand, Runner } from '@r2e/spec'
import { argumentPath, baseName, chunkArguments, folderOf } from '../path.ts'
import { isTestModule } from './roles.ts'

/**
 * pytest by its JUnit XML (xunit1 keeps the file). The project's `addopts` are switched off and what they must keep
 * comes back through PYTEST_ADDOPTS of the recipe, so that no coverage floor, quiet flag, early stop, retry or worker
 * pool of the project changes what is seen. The root is fixed, so that ids are relative to the repository.
 */
export const pytestRunner: Runner = {
  name: 'pytest',
  format: 'junit-pytest',
  env: {
    PYTEST_ADDOPTS: '',
    PYTEST_PLUGINS: '',
    PY_COLORS: '0',
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONHASHSEED: '0',
  },
  faults: [3, 4],
  reporters: [],
  suite: (recipe, also = [], isGone = () => false) => {
    const suite = recipe.suite.filter((path) => !isGone(path))
    return commands(recipe, [...suite, ...modules(also).filter((path) => !covers(suite, path))])
  },
  files: (recipe, paths) => commands(recipe, touched(paths)),
  select: (recipe, id) => command(recipe, 0, [selector(id)]),
}

function commands(recipe: Recipe, paths: readonly string[]): RunCommand[] {
  const chunks = paths.length === 0 ? [[]] : chunkArguments([...new Set(paths)].map(argumentPath))
  return chunks.map((chunk, index) => command(recipe, index, chunk))
}

function command(recipe: Recipe, index: number, paths: readonly string[]): RunCommand {
  const report = `${index}.xml`
  const flags = [
    '--rootdir=.',
    `--junitxml={report}/${report}`,
    ...['addopts=', 'junit_family=xunit1', 'junit_logging=no'].flatMap((setting) => ['-o', setting]),
    '--continue-on-collection-errors',
    '--color=no',
    '-p',
    'no:randomly',
  ]
  return { argv: [...(recipe.testCommand ?? [interpreter(recipe), '-m', 'pytest']), ...flags, ...paths], report }
}

/** By its whole path, so that a shell that resets PATH changes nothing. */
export function interpreter(recipe: Recipe): string {
  const folder = recipe.env.VIRTUAL_ENV
  return folder === undefined ? 'python3' : `${folder}/bin/python`
}

/** pytest fails on a data file; a `[` in a path reads as a parameter. Such files stand for their folder. */
function touched(paths: readonly string[]): string[] {
  const chosen = modules(paths)
  return chosen.length > 0 ? chosen : paths.map((path) => folderOf(path) || '.')
}

function modules(paths: readonly string[]): string[] {
  return paths
    .filter(isTestModule)
    .map((path) => (path.includes('[') || path.includes('::') ? folderOf(path) || '.' : path))
}

function covers(suite: readonly string[], path: string): boolean {
  return suite.length === 0 || suite.some((root) => root === '.' || path === root || path.startsWith(`${root}/`))
}

/** The id itself, or its file where the id holds what cannot be typed: escapes, control characters, great length. */
function selector(id: string): string {
  const file = id.split('::')[0]!
  const safe = id.length < 4000 && !/[\\\p{Cc}\p{Cs}]/u.test(id) && !/ #\d+$/.test(id)
  return argumentPath(safe && baseName(file).endsWith('.py') ? id : file)
}
