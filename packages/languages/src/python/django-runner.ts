import type { Recipe, RunCommand, Runner } from '@r2e/spec'
import { argumentPath, baseName, chunkArguments, folderOf } from '../path.ts'
import { interpreter } from './pytest-runner.ts'
import { isTestModule } from './roles.ts'

/**
 * Django's own test runner (`manage.py test`, `python -m django test`) through the grader's reporter. The suite of the
 * recipe is a manage.py, or the folder to run in where there is none. A test is named by its dotted path from that
 * folder, as Django itself names it.
 */
export const djangoRunner: Runner = {
  name: 'django',
  words: ['manage.py', 'django-admin'],
  format: 'events-jsonl',
  env: { PYTHONDONTWRITEBYTECODE: '1', PYTHONHASHSEED: '0' },
  reporters: ['unittest_events.py'],
  suite: (recipe, also = []) => [command(recipe, 0, undiscovered(recipe, also))],
  files: (recipe, paths) => {
    const labels = [...new Set(paths.filter(isTestModule).flatMap((path) => label(startOf(recipe).folder, path)))]
    return labels.length === 0
      ? [command(recipe, 0, [])]
      : chunkArguments(labels).map((chunk, index) => command(recipe, index, chunk))
  },
  select: (recipe, id) => command(recipe, 0, [id]),
}

/** Django itself looks for `test*.py` alone; with other modules named, the whole has to be named too. */
function undiscovered(recipe: Recipe, paths: readonly string[]): string[] {
  const others = paths.filter((path) => isTestModule(path) && !baseName(path).startsWith('test'))
  const labels = others.flatMap((path) => label(startOf(recipe).folder, path))
  return labels.length === 0 || recipe.testCommand ? labels : ['.', ...labels]
}

interface Start {
  readonly folder: string
  readonly program: readonly string[]
}

function startOf({ suite: [start = 'manage.py'] }: Recipe): Start {
  if (baseName(start) === 'manage.py') return { folder: folderOf(start), program: ['manage.py'] }
  return { folder: start === '.' ? '' : start, program: ['-m', 'django'] }
}

function command(recipe: Recipe, index: number, labels: readonly string[]): RunCommand {
  const report = `${index}.jsonl`
  const { folder, program: start } = startOf(recipe)
  const place = folder === '' ? [] : ['-C', argumentPath(folder)]
  const surroundings = [`R2E_EVENTS={report}/${report}`, 'PYTHONPATH={tests}/reporters']
  const program = recipe.testCommand ?? [interpreter(recipe), ...start, 'test']
  const options = ['--testrunner', 'unittest_events.DjangoRunner', '--noinput']
  return { argv: ['env', ...place, ...surroundings, ...program, ...options, ...labels], report }
}

/** The dotted module of a test file, seen from a folder; nothing for a file outside it or that no import can name. */
function label(folder: string, path: string): string[] {
  if (folder !== '' && !path.startsWith(`${folder}/`)) return []
  const parts = path.slice(folder === '' ? 0 : folder.length + 1, -'.py'.length).split('/')
  return parts.every((part) => /^[\p{L}_][\p{L}\p{N}_]*$/u.test(part)) ? [parts.join('.')] : []
}
