import type { Recipe, RunCommand, Runner } from '@r2e/spec'
import { argumentPath, folderOf, joinPath } from '../path.ts'
import { classNames, idParts, type JvmTest, methodPattern } from './selectors.ts'

const reportFolder = 'build/test-results/test'

/**
 * Gradle of the image, offline, one command per build, reports collected from each project with tests. Everything is
 * compiled anew and nothing comes from a build cache. `suite` of the recipe names the folders of reports.
 */
export const gradleRunner: Runner = {
  name: 'gradle',
  format: 'junit-gradle',
  env: {},
  reporters: [],
  suite: (recipe, also = []) => {
    const reports = [...new Set([...recipe.suite, ...also.flatMap(reportsOf)])]
    return byBuild(recipe, reports).map((run) => command(recipe, run, ['test']))
  },
  files: (recipe, paths) => {
    const reports = [...new Set(paths.flatMap(reportsOf))]
    return byBuild(recipe, reports).map((run) =>
      command(
        recipe,
        run,
        run.reports.flatMap((place) => touched(run, place, paths)),
      ),
    )
  },
  select: (recipe, id) => {
    const test = idParts(id)
    const reports = gradleReports(test.module === '.' ? '' : test.module)
    const [run = { build: '', reports: [reports] }] = byBuild(recipe, [reports])
    return command(recipe, run, [taskOf(run.build, reports), ...testFilter(test)])
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

function command(recipe: Recipe, { build, reports }: GradleRun, tasks: readonly string[]): RunCommand {
  const flags = ['--no-daemon', '--console=plain', '--offline', '--no-build-cache', '--continue']
  const folder = build === '' ? [] : ['-p', argumentPath(build)]
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

/** The test task of a project, and the classes of touched files where each is a Java class of its name. */
function touched({ build }: GradleRun, reports: string, paths: readonly string[]): string[] {
  const classes = classNames(paths.filter((path) => projectOfFile(path) === projectOf(reports)))
  return [taskOf(build, reports), ...(classes ?? []).flatMap((name) => ['--tests', name])]
}

/** A project's path is its folder with colons, unless the settings say otherwise. */
function taskOf(build: string, reports: string): string {
  const project = projectOf(reports)
  const inside = build === '' ? project : project.slice(build.length + 1)
  return inside === '' ? ':test' : `:${inside.replaceAll('/', ':')}:test`
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
