import type { Recipe, RunCommand, Runner } from '@r2e/spec'
import { argumentPath, folderOf, joinPath } from '../path.ts'
import { classNames, idParts, type JvmTest, methodPattern } from './selectors.ts'

const reportFolder = 'build/test-results/test'

/**
 * Gradle of the image, offline, reports collected from each project with tests: one command per build, or per project
 * where files are chosen, which is then named by its folder, since settings may give it another path. Everything is
 * compiled anew and nothing comes from a build cache. `suite` of the recipe names the folders of reports.
 */
export const gradleRunner: Runner = {
  name: 'gradle',
  format: 'junit-gradle',
  env: {},
  reporters: [],
  suite: (recipe, also = []) => {
    const reports = [...new Set([...recipe.suite, ...also.flatMap(reportsOf)])]
    return byBuild(recipe, reports).map(({ build, reports }) => command(recipe, build, reports, ['test']))
  },
  files: (recipe, paths) => {
    const reports = [...new Set(paths.flatMap(reportsOf))]
    return byBuild(recipe, reports).flatMap(({ build, reports }) =>
      reports.map((place) => projectRun(recipe, build, place, touchedClasses(place, paths))),
    )
  },
  select: (recipe, id) => {
    const test = idParts(id)
    const reports = gradleReports(test.module === '.' ? '' : test.module)
    const [{ build } = { build: '' }] = byBuild(recipe, [reports])
    return projectRun(recipe, build, reports, testFilter(test))
  },
}

export function gradleReports(project: string): string {
  return joinPath(project, reportFolder)!
}

/** The folders that hold settings of a build, read back from the files of a recipe. */
function recipeBuilds(recipe: Recipe): readonly string[] {
  const text = recipe.files.find(({ path }) => path === 'builds')?.text ?? '\n'
  return text.split('\n').slice(0, -1)
}

interface GradleRun {
  readonly build: string
  readonly reports: readonly string[]
}

function command(recipe: Recipe, place: string, reports: readonly string[], tasks: readonly string[]): RunCommand {
  const flags = ['--no-daemon', '--console=plain', '--offline', '--no-build-cache', '--continue']
  const folder = place === '' ? [] : ['-p', argumentPath(place)]
  return {
    argv: [
      ...(recipe.testCommand ?? ['gradle']),
      ...folder,
      ...flags,
      ...(recipe.testCommand ? [] : ['clean']),
      ...tasks,
    ],
    collect: reports.map((place) => ({ glob: `${place}/TEST-*.xml`, scope: projectOf(place) || '.' })),
  }
}

function byBuild(recipe: Recipe, reports: readonly string[]): GradleRun[] {
  const within = (build: string) => reports.filter((place) => build === '' || place.startsWith(`${build}/`))
  return recipeBuilds(recipe)
    .map((build) => ({ build, reports: within(build) }))
    .filter((run) => run.reports.length > 0)
}

/** The project of a test file: the folder above its source set. */
export function projectOfFile(path: string): string | undefined {
  const at = `/${path}`.indexOf('/src/test/')
  return at < 0 ? undefined : path.slice(0, Math.max(0, at - 1))
}

function reportsOf(path: string): string[] {
  const project = projectOfFile(path)
  return project === undefined ? [] : [gradleReports(project)]
}

/** The tests of one project; those of the root of a build by their path, as else they would be those of all projects. */
function projectRun(recipe: Recipe, build: string, reports: string, filter: readonly string[]): RunCommand {
  const project = projectOf(reports)
  return command(recipe, project, [reports], [project === build ? ':test' : 'test', ...filter])
}

/** Of touched files, where each is a Java class of its name. */
function touchedClasses(reports: string, paths: readonly string[]): string[] {
  const classes = classNames(paths.filter((path) => projectOfFile(path) === projectOf(reports)))
  return (classes ?? []).flatMap((name) => ['--tests', name])
}

function projectOf(reports: string): string {
  return folderOf(folderOf(folderOf(reports)))
}

/** Titles may hold blanks; `*` alone is special, and stands for the invocations. */
function testFilter({ classname, method }: JvmTest): string[] {
  if (classname === undefined) return []
  if (method === undefined) return ['--tests', classname]
  const pattern = methodPattern(method) ?? (/^[\w$ -]+$/.test(method) ? method : undefined)
  return ['--tests', pattern === undefined ? classname : `${classname}.${pattern}`]
}
