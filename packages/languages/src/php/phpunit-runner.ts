import type { Recipe, RunCommand, Runner } from '@r2e/spec'
import { argumentPath, chunkArguments, folderOf } from '../path.ts'
import { isTestFile } from './roles.ts'

/** The command of a recipe that installs by Composer; the one of the image else. */
const composerCommand = 'vendor/bin/phpunit'

/**
 * PHPUnit by its JUnit log, through the grader's driver: it keeps the project's configuration but for what chooses,
 * orders or stops tests, and runs files apart where one of them ends the process.
 */
export const phpunitRunner: Runner = {
  name: 'phpunit',
  format: 'junit-phpunit',
  env: { XDEBUG_MODE: 'off', SYMFONY_DEPRECATIONS_HELPER: 'disabled' },
  faults: [70],
  reporters: ['phpunit_files.php'],
  suite: (recipe, also = [], isGone = () => false) =>
    commands(recipe, [...recipe.suite.filter((path) => !isGone(path)), ...also]),
  files: (recipe, paths) => commands(recipe, paths),
  select: (recipe, id) => selection(recipe, id),
}

function commands(recipe: Recipe, paths: readonly string[]): RunCommand[] {
  const files = [...new Set(paths)].filter((path) => isCollected(recipe, path))
  return chunkArguments(files.map(argumentPath)).map((chunk, index) => command(recipe, index, [], chunk))
}

/** By its name, or where the project's own names for test files beside it follow no such rule. */
function isCollected({ suite }: Recipe, path: string): boolean {
  if (isTestFile(path) || suite.includes(path)) return true
  return path.endsWith('.php') && suite.some((other) => folderOf(other) === folderOf(path) && !isTestFile(other))
}

function command(recipe: Recipe, index: number, options: readonly string[], files: readonly string[]): RunCommand {
  const report = `${index}.xml`
  const program = recipe.testCommand ?? [recipe.env.COMPOSER_HOME === undefined ? 'phpunit' : composerCommand]
  return {
    argv: ['php', '{tests}/reporters/phpunit_files.php', `{report}/${report}`, ...program, ...options, '--', ...files],
    report,
  }
}

/** A method with all its data sets: a filter by the name of one would need quotes that PHPUnit does not undo. */
function selection(recipe: Recipe, id: string): RunCommand {
  const [file = '', ...rest] = id.split('::')
  const [className, method = ''] = rest
  const plain = /^[\w\\]+$/.test(className ?? '') && /^\w+/u.test(method)
  const name = /^[\w\u0080-\uffff]+/.exec(method)?.[0] ?? ''
  const filter = `/^${className?.replaceAll('\\', '\\\\')}::${name}( with data set .*)?$/s`
  return command(recipe, 0, plain ? ['--filter', filter] : [], [argumentPath(file)])
}
