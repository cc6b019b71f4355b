import type { Recipe, RunCommand, Runner } from '@r2e/spec'
import { argumentPath, chunkArguments, folderOf } from '../path.ts'
import { inBundle } from './bundler.ts'
import { isSpecFile } from './roles.ts'

/**
 * RSpec by its JSON report, in the order of definition. The command line overrules the project's `.rspec`, whose
 * libraries are still required. A file that does not load keeps no other from running.
 */
export const rspecRunner: Runner = {
  name: 'rspec',
  format: 'rspec-json',
  env: { SPEC_OPTS: '' },
  reporters: ['rspec_loading.rb'],
  suite: (recipe, also = [], isGone = () => false) => {
    const suite = recipe.suite.filter((path) => !isGone(path))
    return commands(recipe, [...suite, ...also.filter((path) => isSpecFile(path) && !covers(suite, path))])
  },
  files: (recipe, paths) => commands(recipe, touched(paths)),
  select: (recipe, id) => command(recipe, 0, selection(id)),
}

function commands(recipe: Recipe, paths: readonly string[]): RunCommand[] {
  const chunks = chunkArguments([...new Set(paths)].map(argumentPath))
  return chunks.map((chunk, index) => command(recipe, index, chunk))
}

function command(recipe: Recipe, index: number, words: readonly string[]): RunCommand {
  const report = `${index}.json`
  const flags = [
    ...['--require', '{tests}/reporters/rspec_loading.rb', '--format', 'json', '--out', `{report}/${report}`],
    ...['--no-color', '--order', 'defined', '--no-fail-fast', '--no-profile'],
  ]
  return { argv: [...(recipe.testCommand ?? [...inBundle(recipe), 'rspec']), ...flags, ...words], report }
}

/** RSpec has nothing to run in a data file: its folder then stands for it. */
function touched(paths: readonly string[]): string[] {
  const specs = paths.filter(isSpecFile)
  return specs.length > 0 ? specs : paths.map((path) => folderOf(path) || '.')
}

function covers(suite: readonly string[], path: string): boolean {
  return suite.some((root) => path === root || path.startsWith(`${root}/`))
}

/** `--example` takes a description that is known before the run, and as RSpec has it; else the file stands for the id. */
function selection(id: string): string[] {
  const at = id.indexOf('::')
  const file = argumentPath(at < 0 ? id : id.slice(0, at))
  const description = at < 0 ? '' : id.slice(at + 2).replace(/ #\d+$/, '')
  const plain =
    description !== '' && description.length < 4000 && !/[\\\p{Cc}\p{Cs}]|:0x(?![0-9a-f])/u.test(description)
  return plain && !madeByMatcher.test(description) ? [file, '--example', description] : [file]
}

const madeByMatcher = /(?:^| )(?:is expected|should) /
