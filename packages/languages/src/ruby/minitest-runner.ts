import type { Recipe, RunCommand, Runner } from '@r2e/spec'
import { argumentPath, chunkArguments } from '../path.ts'
import { inBundle } from './bundler.ts'
import { isSpecFile, isTestFile } from './roles.ts'

/** Options of the loader, one word a line, made from the Rakefile: a recipe file of this name. */
export const loaderOptions = 'minitest.options'

/**
 * Minitest and Test::Unit through the grader's reporter, which loads the test files itself: one JSON line per event.
 * One thread and a fixed seed; plug-ins that gems or the project would load by themselves are left out.
 */
export const minitestRunner: Runner = {
  name: 'minitest',
  format: 'events-jsonl',
  env: { MT_CPU: '1', PARALLEL_WORKERS: '1', MT_NO_PLUGINS: '1', TESTOPTS: '' },
  reporters: ['minitest_events.rb'],
  suite: (recipe, also = [], isGone = () => false) =>
    commands(recipe, [...recipe.suite.filter((path) => !isGone(path)), ...also]),
  files: (recipe, paths) => commands(recipe, paths),
  select: (recipe, id) => command(recipe, 0, selection(id)),
}

function commands(recipe: Recipe, paths: readonly string[]): RunCommand[] {
  const files = [...new Set(paths)].filter((path) => isTestFile(path) || isSpecFile(path))
  return chunkArguments(files.map(argumentPath)).map((chunk, index) => command(recipe, index, chunk))
}

function command(recipe: Recipe, index: number, words: readonly string[]): RunCommand {
  const report = `${index}.jsonl`
  const options = (recipe.files.find(({ path }) => path === loaderOptions)?.text ?? '').split('\n').filter(Boolean)
  const folders = options.filter((word) => word.startsWith('-I'))
  const libraries = options.filter((word) => word.startsWith('-r'))
  const program = recipe.testCommand ?? [...inBundle(recipe), 'ruby', ...folders]
  const reporter = ['{tests}/reporters/minitest_events.rb', '--out', `{report}/${report}`]
  return { argv: [...program, ...reporter, ...libraries, ...words], report }
}

/** `-n` is a pattern of method names, before which Minitest::Spec puts a number. */
function selection(id: string): string[] {
  const at = id.indexOf('::')
  if (at < 0) return [argumentPath(id)]
  const file = argumentPath(id.slice(0, at))
  const name = id.slice(id.indexOf('#', at) + 1).replace(/ #\d+$/, '')
  const plain = id.includes('#', at) && name.length < 4000 && !/[\\\p{Cc}\p{Cs}]/u.test(name)
  return plain ? ['-n', `/^(test_\\d+_)?${quote(name)}/`, file] : [file]
}

/** As Ruby's Regexp.escape, but for blanks. */
function quote(text: string): string {
  return text.replace(/[.*?+^$|\\()[\]{}#-]/g, '\\$&')
}
