import type { Recipe, RunCommand, Runner } from '@r2e/spec'
import { argumentPath, baseName, chunkArguments, folderOf } from '../path.ts'
import { interpreter } from './pytest-runner.ts'
import { isTestModule } from './roles.ts'

/**
 * Django's own test runner (`manage.py test`) through the grader's reporter. It runs in the folder of manage.py, so a
 * test is named by its dotted path from there, as Django itself names it. The suite of the recipe is that manage.py.
 */
export const djangoRunner: Runner = {
  name: 'django',
  words: ['manage.py', 'django-admin'],
  format: 'events-jsonl',
  env: { PYTHONDONTWRITEBYTECODE: '1', PYTHONHASHSEED: '0' },
  reporters: ['unittest_events.py'],
  suite: (recipe) => [command(recipe, 0, [])],
  files: (recipe, paths) => {
    const labels = [...new Set(paths.filter(isTestModule).flatMap((path) => label(folderOf(manageFile(recipe)), path)))]
    return labels.length === 0
      ? [command(recipe, 0, [])]
      : chunkArguments(labels).map((chunk, index) => command(recipe, index, chunk))
  },
  select: (recipe, id) => command(recipe, 0, [id]),
}

function manageFile(recipe: Recipe): string {
  return recipe.suite[0] ?? 'manage.py'
}

function command(recipe: Recipe, index: number, labels: readonly string[]): RunCommand {
  const report = `${index}.jsonl`
  const file = manageFile(recipe)
  const place = folderOf(file) === '' ? [] : ['-C', argumentPath(folderOf(file))]
  const surroundings = [`R2E_EVENTS={report}/${report}`, 'PYTHONPATH={tests}/reporters']
  const program = recipe.testCommand ?? [interpreter(recipe), baseName(file), 'test']
  const options = ['--testrunner', 'unittest_events.DjangoRunner', '--noinput']
  return { argv: ['env', ...place, ...surroundings, ...program, ...options, ...labels], report }
}

/** The dotted module of a test file, seen from a folder; nothing for a file outside it or that no import can name. */
function label(folder: string, path: string): string[] {
  if (folder !== '' && !path.startsWith(`${folder}/`)) return []
  const parts = path.slice(folder === '' ? 0 : folder.length + 1, -'.py'.length).split('/')
  return parts.every((part) => /^[\p{L}_][\p{L}\p{N}_]*$/u.test(part)) ? [parts.join('.')] : []
}
