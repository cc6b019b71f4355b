import type { Recipe, RunCommand, Runner } from '@r2e/spec'
import { argumentPath, folderOf } from '../path.ts'

/** Base name of the reports; the framework and the time follow, so that a project with several frameworks keeps each. */
const reportPrefix = 'r2e'

/**
 * dotnet test, one command per test project, its report collected from the project's TestResults: a project that does
 * not compile leaves none, and the others are kept. `suite` of the recipe names the project files.
 */
export const dotnetRunner: Runner = {
  name: 'dotnet',
  format: 'trx',
  env: {
    DOTNET_CLI_TELEMETRY_OPTOUT: '1',
    DOTNET_CLI_UI_LANGUAGE: 'en',
    DOTNET_NOLOGO: '1',
    MSBUILDDISABLENODEREUSE: '1',
  },
  reporters: [],
  suite: (recipe) => recipe.suite.map((project) => command(recipe, project, [])),
  files: (recipe, paths) =>
    recipe.suite
      .filter((project) => paths.some((path) => isIn(project, path)))
      .map((project) => command(recipe, project, [])),
  select: (recipe, id) => selection(recipe, id),
}

function command(recipe: Recipe, project: string, filter: readonly string[]): RunCommand {
  const folder = folderOf(project)
  const results = folder === '' ? 'TestResults' : `${folder}/TestResults`
  const flags = ['--logger', `trx;LogFilePrefix=${reportPrefix}`, '--results-directory', argumentPath(results)]
  return {
    argv: [...(recipe.testCommand ?? ['dotnet', 'test']), argumentPath(project), '--nologo', ...flags, ...filter],
    collect: [{ glob: `${results}/${reportPrefix}*.trx`, scope: folder === '' ? '.' : folder }],
  }
}

function isIn(project: string, path: string): boolean {
  const folder = folderOf(project)
  return folder === '' || path.startsWith(`${folder}/`)
}

/** `project::Ns.Class.Method(row)` → that method, all its rows; an id without a test is the whole project. */
function selection(recipe: Recipe, id: string): RunCommand {
  const at = id.indexOf('::')
  const folder = at < 0 ? id : id.slice(0, at)
  const project = recipe.suite.find((path) => (folderOf(path) || '.') === folder) ?? recipe.suite[0] ?? '.'
  if (at < 0) return command(recipe, project, [])
  const method = id.slice(at + 2).split(/[(<` ]/, 1)[0]!
  return command(recipe, project, ['--filter', `FullyQualifiedName~${method}`])
}
