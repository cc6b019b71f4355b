import type { Recipe, RunCommand, Runner } from '@r2e/spec'
import { argumentPath, chunkArguments, folderOf } from '../path.ts'
import { type GoModule, moduleOf, moduleOfPackage, recipeModules } from './modules.ts'
import { isTestFile } from './roles.ts'

/** Seconds for one package: a hanging test then ends as its own failure, well before the limit of the whole run. */
const packageLimit = 300

/**
 * go test by its event stream on standard output, never from the cache, one command per module. Nothing is fetched; the
 * project's own vendor folder, workspace and vet settings hold.
 */
export const goRunner: Runner = {
  name: 'go',
  format: 'go-json',
  env: { GOTOOLCHAIN: 'local', GOPROXY: 'off', GOSUMDB: 'off' },
  reporters: [],
  suite: (recipe) =>
    number(
      recipe.suite.map((folder) => ({ folder: bare(folder), arguments: ['./...'] })),
      recipe,
    ),
  files: (recipe, paths) => number(touched(recipeModules(recipe), paths), recipe),
  select: (recipe, id) => number([selection(recipeModules(recipe), id)], recipe)[0]!,
}

interface ModuleRun {
  readonly folder: string
  readonly arguments: readonly string[]
}

function number(runs: readonly ModuleRun[], recipe: Recipe): RunCommand[] {
  return runs.map((run, index) => ({
    argv: [...program(recipe, run.folder), '-json', '-count=1', `-timeout=${packageLimit}s`, ...run.arguments],
    report: `${index}.jsonl`,
    stdout: true,
  }))
}

function program({ testCommand }: Recipe, folder: string): readonly string[] {
  const inFolder = folder === '' ? [] : ['-C', argumentPath(folder)]
  if (testCommand === undefined) return ['go', ...inFolder, 'test']
  return folder === '' ? testCommand : ['env', ...inFolder, ...testCommand]
}

/** `./...` and `sub/...` of a suite name the folder of a module. */
function bare(pattern: string): string {
  return pattern.replace(/^\.\//, '').replace(/(^|\/)\.\.\.$/, '')
}

/** The packages of test files; a file below testdata belongs to the package above it. */
function touched(modules: readonly GoModule[], paths: readonly string[]): ModuleRun[] {
  const packages = new Map<string, Set<string>>()
  for (const path of paths) {
    const module = moduleOf(modules, path)
    const data = /(^|\/)testdata\//.exec(path)
    if (module === undefined || !(isTestFile(path) || data)) continue
    const folder = data ? path.slice(0, data.index) : folderOf(path)
    const known = packages.get(module.folder) ?? new Set()
    packages.set(module.folder, known.add(relative(module.folder, folder)))
  }
  return [...packages].flatMap(([folder, names]) =>
    chunkArguments([...names]).map((chunk) => ({ folder, arguments: chunk })),
  )
}

function relative(from: string, folder: string): string {
  const rest = from === '' ? folder : folder.slice(from.length + 1)
  return rest === '' ? '.' : `./${rest}`
}

/** `package::TestX/sub` → that package, each level quoted; an id without a test is the whole package. */
function selection(modules: readonly GoModule[], id: string): ModuleRun {
  const at = id.indexOf('::')
  const name = at < 0 ? id : id.slice(0, at)
  const folder = moduleOfPackage(modules, name)?.folder ?? ''
  if (at < 0) return { folder, arguments: [name] }
  const levels = id
    .slice(at + 2)
    .replace(/ #\d+$/, '')
    .split('/')
  return { folder, arguments: [name, '-run', levels.map((level) => `^${quote(level)}$`).join('/')] }
}

/** As Go's regexp.QuoteMeta. */
function quote(text: string): string {
  return text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&')
}
