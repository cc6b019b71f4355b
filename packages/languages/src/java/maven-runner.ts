import type { Recipe, ReportPlace, RunCommand, Runner } from '@r2e/spec'
import { argumentPath, folderOf, joinPath } from '../path.ts'
import { failsafeGoal, mavenArguments } from './maven-arguments.ts'
import { mavenFolder, mavenModuleOf, recipeReactors } from './maven-modules.ts'
import { isIntegrationTest, isUnitTest } from './roles.ts'
import { classNames, idParts, type JvmTest, methodPattern } from './selectors.ts'

const unitReports = 'target/surefire-reports'
const integrationReports = 'target/failsafe-reports'

/**
 * Maven, offline, one command per build; the reports are collected from each module that has tests. A test that does not
 * compile leaves its module without a report, and those built on it; the others run on. Everything is compiled anew, so
 * that no class of another state is left. `suite` of the recipe names the folders of reports.
 */
export const mavenRunner: Runner = {
  name: 'maven',
  format: 'junit-maven',
  env: {},
  reporters: [],
  suite: (recipe, also = []) => suiteRuns(recipe, [...new Set([...recipe.suite, ...also.flatMap(reportsOf(recipe))])]),
  files: (recipe, paths) => touchedRuns(recipe, paths),
  select: (recipe, id) => selection(recipe, id),
}

/** The folder of reports of a module: `core/target/surefire-reports`. */
export function mavenReports(folder: string, kind: 'unit' | 'integration'): string {
  return joinPath(folder, kind === 'unit' ? unitReports : integrationReports)!
}

interface MavenRun {
  readonly reactor: string
  readonly reports: readonly string[]
  readonly arguments: readonly string[]
}

function command(recipe: Recipe, { reactor, reports, arguments: selected }: MavenRun): RunCommand {
  const program = recipe.testCommand ?? ['mvn', 'clean', 'test', ...(reports.some(isIntegration) ? [failsafeGoal] : [])]
  const folder = reactor === '' ? [] : ['-f', argumentPath(`${reactor}/pom.xml`)]
  return {
    argv: [...program, ...folder, '-o', '-fae', ...mavenArguments, ...selected],
    collect: reports.map(place),
  }
}

function place(reports: string): ReportPlace {
  return { glob: `${reports}/TEST-*.xml`, scope: moduleOf(reports) || '.' }
}

function suiteRuns(recipe: Recipe, suite: readonly string[]): RunCommand[] {
  return byReactor(recipe, suite).map(({ reactor, reports }) => command(recipe, { reactor, reports, arguments: [] }))
}

/** The modules of test files, and of these the classes where each file is a Java class of its name. */
function touchedRuns(recipe: Recipe, paths: readonly string[]): RunCommand[] {
  const suite = [...new Set(paths.flatMap((path) => reportsOf(recipe)(path)))]
  return byReactor(recipe, suite).map(({ reactor, reports }) => {
    const modules = [...new Set(reports.map(moduleOf))]
    const own = paths.filter((path) => modules.includes(mavenModuleOf(suiteModules(recipe), path)?.folder ?? ''))
    const classes = classNames(own)
    return command(recipe, {
      reactor,
      reports,
      arguments: [
        ...projects(reactor, modules),
        ...(classes === undefined ? [] : classFilter(classes.map(withNested).join(','))),
      ],
    })
  })
}

/** `module::pkg.Class::method` → that method; an id without a class is the whole module. */
function selection(recipe: Recipe, id: string): RunCommand {
  const test = idParts(id)
  const folder = test.module === '.' ? '' : test.module
  const reactor = recipeReactors(recipe).find((root) => root === '' || `${folder}/`.startsWith(`${root}/`)) ?? ''
  const reports = recipe.suite.filter((place) => moduleOf(place) === folder)
  return command(recipe, {
    reactor,
    reports: reports.length > 0 ? reports : [mavenReports(folder, 'unit')],
    arguments: [...projects(reactor, [folder]), ...classFilter(testFilter(test))],
  })
}

function testFilter({ classname, method }: JvmTest): string {
  if (classname === undefined) return ''
  const pattern = methodPattern(method)
  return pattern === undefined ? withNested(classname) : `${classname}#${pattern}`
}

/** Before version 3 surefire leaves out the nested classes of one that is named. */
const withNested = (classname: string) => `${classname},${classname}$*`

/** The same for surefire and failsafe: a class is run by the one that includes it, or by the one that is asked. */
function classFilter(filter: string): string[] {
  if (filter === '') return []
  const lenient = ['surefire', 'failsafe'].map((plugin) => `-D${plugin}.failIfNoSpecifiedTests=false`)
  return [`-Dtest=${filter}`, `-Dit.test=${filter}`, ...lenient]
}

/** These modules and what they are built on; nothing to say for a build of one module. */
function projects(reactor: string, modules: readonly string[]): string[] {
  const inside = modules.map((folder) =>
    folder === reactor ? '.' : reactor === '' ? folder : folder.slice(reactor.length + 1),
  )
  return inside.length === 1 && inside[0] === '.' ? [] : ['-pl', inside.map(argumentPath).join(','), '-am']
}

function byReactor(recipe: Recipe, suite: readonly string[]): { reactor: string; reports: readonly string[] }[] {
  const reactors = recipeReactors(recipe)
  const within = (reactor: string) => suite.filter((reports) => reactor === '' || reports.startsWith(`${reactor}/`))
  return reactors.map((reactor) => ({ reactor, reports: within(reactor) })).filter(({ reports }) => reports.length > 0)
}

function suiteModules(recipe: Recipe): { folder: string }[] {
  return recipe.files
    .filter(({ path }) => path.startsWith(`${mavenFolder}/`) && path.endsWith('/pom.xml'))
    .map(({ path }) => ({ folder: folderOf(path.slice(mavenFolder.length + 1)) }))
}

/** Where the results of a test file are reported: with its module, by its name. */
function reportsOf(recipe: Recipe): (path: string) => string[] {
  return (path) => {
    const module = mavenModuleOf(suiteModules(recipe), path)
    if (module === undefined) return []
    const integration = mavenReports(module.folder, 'integration')
    if (isIntegrationTest(path) && recipe.suite.some(isIntegration)) return [integration]
    return isUnitTest(path) || recipe.suite.includes(mavenReports(module.folder, 'unit'))
      ? [mavenReports(module.folder, 'unit')]
      : []
  }
}

function isIntegration(reports: string): boolean {
  return reports.endsWith(integrationReports)
}

function moduleOf(reports: string): string {
  return folderOf(folderOf(reports))
}
