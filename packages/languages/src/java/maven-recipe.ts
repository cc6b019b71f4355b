import type { Recipe, RecipeFile, RecipeInput, RecipeOrigin, RecipeStep } from '@r2e/spec'
import { type Manifests, openManifests } from '../manifests.ts'
import { joinPath } from '../path.ts'
import { allElements, elementAt, type XmlElement } from '../xml-elements.ts'
import { imageRelease, type JavaVersion, javaVersionFile, releaseNumber } from './java-version.ts'
import { failsafeGoal, mavenArguments } from './maven-arguments.ts'
import { type MavenModule, mavenFolder, mavenModuleOf, mavenModules, usesPlugin } from './maven-modules.ts'
import { mavenReports } from './maven-runner.ts'
import { isIntegrationTest, isUnitTest, jvmRole } from './roles.ts'
import { markerFiles, stubSources } from './stub-sources.ts'

/** What older code and younger tools both run on, tried where the declared version comes to nothing. */
const fallbacks = [17, 21]
const usual = 17

/** What a test needs of a build, without what else the poms bind to it. */
const bareGoals = [
  'resources:resources',
  'resources:testResources',
  'compiler:compile',
  'compiler:testCompile',
  'surefire:test',
]

/**
 * Builds the poms with a stub for each source set: a build resolves much only when it needs it, such as the provider that
 * surefire runs tests with. Where something bound to the build fails on stubs, the bare goals are tried for the rest; a
 * module that cannot be built is no failure, but what the network broke is. Some plugins ask for a repository.
 */
function warmUp(goals: readonly string[]): RecipeStep {
  const build = (wanted: readonly string[]) =>
    `mvn -fn ${mavenArguments.join(' ')} ${wanted.join(' ')} >> /tmp/maven.log 2>&1`
  const again = `if grep -q 'Build failures were ignored' /tmp/maven.log; then ${build(bareGoals)}; fi`
  return {
    run: [
      `cd /r2e/${mavenFolder} && git init -q . && git -c user.name=r2e -c user.email=r2e@localhost commit -q --allow-empty -m r2e`,
      `while IFS= read -r folder; do (cd "./$folder" && ${build(goals)} && ${again}) || { tail -n 40 /tmp/maven.log; exit 1; }; done < /r2e/reactors`,
      `if grep -v 'maven-default-http-blocker' /tmp/maven.log | grep 'Could not transfer'; then exit 1; fi`,
      `tail -n 40 /tmp/maven.log; rm -rf /tmp/maven.log .git`,
    ].join(' && '),
    network: true,
  }
}

/** A recipe for each likely version of Java: that of the poms, then later ones. */
export async function mavenRecipes(input: RecipeInput): Promise<readonly Recipe[]> {
  const manifests = await openManifests(input.tree)
  const modules = await mavenModules(manifests)
  if (modules.length === 0) return []
  const failsafe = usesPlugin(modules, 'maven-failsafe-plugin')
  const suite = reportFolders(manifests, modules, failsafe)
  const reactors = [...new Set(modules.filter((module) => isTested(module, suite)).map(({ reactor }) => reactor))]
  if (reactors.length === 0) return []
  const version = (await javaVersionFile(manifests)) ?? declaredVersion(modules)
  const files = await manifestFiles(manifests, modules)
  const stubs = [...stubSources(manifests.paths, modules), ...markerFiles(manifests.paths, modules)].filter(
    ({ path }) => !files.some((file) => file.path === path),
  )
  const recipe = (release: number): Recipe => ({
    schema: 'r2e.recipe/1',
    language: 'java',
    baseImage: `maven:3.9-eclipse-temurin-${release}`,
    system: [],
    env: {},
    files: [
      ...[...files, ...stubs].map((file) => ({
        ...file,
        path: `${mavenFolder}/${file.path}`,
      })),
      { path: 'reactors', text: reactors.map((folder) => `${folder}\n`).join('') },
    ],
    dependencies: [warmUp(['clean', 'test', ...(failsafe ? [failsafeGoal] : [])])],
    setup: [],
    project: [],
    runner: 'maven',
    suite,
    testEnv: {},
    manifests: manifests.used(),
    origin: [version?.origin, ...manifests.used().map((file) => ({ fact: 'modules', file }))].filter(
      (row) => row !== undefined,
    ),
  })
  const declared = imageRelease(version?.release ?? usual)
  const all = [...new Set([declared, ...fallbacks.filter((release) => release > declared)])].map(recipe)
  return input.options.baseImage === undefined ? all : all.slice(0, 1)
}

/** Folders of reports of the modules that hold a test, by the names of files. */
function reportFolders(manifests: Manifests, modules: readonly MavenModule[], failsafe: boolean): string[] {
  const found = new Set<string>()
  for (const path of manifests.paths) {
    if (jvmRole(path) !== 'test') continue
    const kind = isUnitTest(path) ? 'unit' : failsafe && isIntegrationTest(path) ? 'integration' : undefined
    const module = kind && mavenModuleOf(modules, path)
    if (kind && module) found.add(mavenReports(module.folder, kind))
  }
  return [...found].sort()
}

function isTested({ folder }: MavenModule, suite: readonly string[]): boolean {
  return suite.some(
    (reports) => reports === mavenReports(folder, 'unit') || reports === mavenReports(folder, 'integration'),
  )
}

/** The poms in their own layout, of parents outside the modules too, and what steers Maven itself. */
async function manifestFiles(manifests: Manifests, modules: readonly MavenModule[]): Promise<RecipeFile[]> {
  const parents = modules.flatMap(({ folder, pom }) => {
    const path = elementAt(pom, 'parent', 'relativePath')?.text || '../pom.xml'
    return elementAt(pom, 'parent') ? [joinPath(folder, path.endsWith('.xml') ? path : `${path}/pom.xml`)] : []
  })
  const settings = ['maven.config', 'jvm.config', 'extensions.xml'].flatMap((name) =>
    modules.map(({ reactor }) => joinPath(reactor, `.mvn/${name}`)),
  )
  const wanted = [...modules.map(({ folder }) => joinPath(folder, 'pom.xml')), ...parents, ...settings]
  const paths = [...new Set(wanted)].filter((path) => path !== undefined && manifests.has(path)).sort() as string[]
  return Promise.all(paths.map(async (path) => ({ path, text: (await manifests.read(path)) ?? '' })))
}

const versionProperties = [
  'maven.compiler.release',
  'maven.compiler.target',
  'maven.compiler.source',
  'java.version',
  'jdk.version',
]

/** The newest version that a pom compiles for, by its properties or the compiler's settings. */
function declaredVersion(modules: readonly MavenModule[]): JavaVersion | undefined {
  const found = modules.flatMap(({ folder, pom }) => {
    const release = Math.max(0, ...declarations(pom).flatMap((text) => releaseNumber(text) ?? []))
    return release > 0 ? [{ release, origin: originOf(release, folder) }] : []
  })
  return found.sort((a, b) => b.release - a.release)[0]
}

function originOf(release: number, folder: string): RecipeOrigin {
  const nearest = imageRelease(release)
  const fact = nearest === release ? `Java ${release}` : `Java ${release}, nearest image ${nearest}`
  return { fact, file: joinPath(folder, 'pom.xml')! }
}

function declarations(pom: XmlElement): string[] {
  const properties = elementAt(pom, 'properties')?.children ?? []
  const compilers = [...allElements(pom)].filter(
    (element) => element.name === 'plugin' && elementAt(element, 'artifactId')?.text === 'maven-compiler-plugin',
  )
  return [
    ...properties.filter(({ name }) => versionProperties.includes(name)),
    ...compilers.flatMap((plugin) =>
      (elementAt(plugin, 'configuration')?.children ?? []).filter(({ name }) =>
        /^(?:release|source|target)$/.test(name),
      ),
    ),
  ].map(({ text }) => text)
}
