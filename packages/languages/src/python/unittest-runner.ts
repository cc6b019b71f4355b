import type { Recipe, RunCommand, Runner } from '@r2e/spec'
import { argumentPath, chunkArguments } from '../path.ts'
import { interpreter } from './pytest-runner.ts'
import { isTestModule } from './roles.ts'

/**
 * unittest of the standard library through the grader's reporter: one JSON line per event. Modules are named by their
 * files, so that ids are dotted paths from the root whatever the run covers.
 */
export const unittestRunner: Runner = {
  name: 'unittest',
  format: 'events-jsonl',
  env: { PYTHONDONTWRITEBYTECODE: '1', PYTHONHASHSEED: '0' },
  reporters: ['unittest_events.py'],
  suite: (recipe, also = [], isGone = () => false) =>
    commands(recipe, [...recipe.suite.filter((path) => !isGone(path)), ...also.filter(isTestModule)]),
  files: (recipe, paths) => commands(recipe, paths.filter(isTestModule)),
  select: (recipe, id) => command(recipe, 0, [id]),
}

function commands(recipe: Recipe, paths: readonly string[]): RunCommand[] {
  const chunks = chunkArguments([...new Set(paths)].map(argumentPath))
  return chunks.map((chunk, index) => command(recipe, index, chunk))
}

function command(recipe: Recipe, index: number, names: readonly string[]): RunCommand {
  const report = `${index}.jsonl`
  const reporter = ['{tests}/reporters/unittest_events.py', '--out', `{report}/${report}`]
  return { argv: [...program(recipe, reporter), ...names], report }
}

/** The user's `python -m unittest` keeps its interpreter and options; any other command starts the reporter itself. */
function program(recipe: Recipe, reporter: readonly string[]): readonly string[] {
  const own = recipe.testCommand ?? [interpreter(recipe)]
  const at = own.findIndex((word, index) => word === '-m' && own[index + 1] === 'unittest')
  return at > 0 ? own.toSpliced(at, 2, ...reporter) : [...own, ...reporter]
}
