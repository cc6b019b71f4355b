import type { Recipe, RecipeFile, RecipeInput, RecipeOrigin, RecipeStep } from '@r2e/spec'
import { type Manifests, openManifests } from '../manifests.ts'
import { baseName, folderOf, joinPath } from '../path.ts'
import { gradleReports, projectOfFile } from './gradle-runner.ts'
import { imageRelease, javaVersionFile, releaseNumber } from './java-version.ts'
import { isUnitTest } from './roles.ts'
import { stubSources } from './stub-sources.ts'

/** Where the manifests of a recipe lie below `/r2e/`. */
const gradleFolder = 'gradle'
const foreign = /(?:^|\/)(?:src\/(?:main|test)\/resources|node_modules|build)\//
const buildFile = /(?:^|\/)(?:[^/]+\.gradle(?:\.kts)?|gradle\.properties|[^/]+\.versions\.toml)$/
/** Code that a build script is made of. */
const buildLogic =
  /(?:^|\/)(?:buildSrc|build-logic|build-conventions)\/.*\.(?:java|kt|kts|groovy|gradle|properties|toml)$/

/** Builds the scripts with a stub for each source set, so that all that a test run needs is there. */
const warmUp: RecipeStep = {
  run: [
    `cd /r2e/${gradleFolder}`,
    'while IFS= read -r folder; do (cd "./$folder" && gradle --no-daemon --console=plain --continue clean test >> /tmp/gradle.log 2>&1) || true; done < /r2e/builds',
    "if grep -E 'Could not (GET|HEAD) ' /tmp/gradle.log; then exit 1; fi",
    'tail -n 40 /tmp/gradle.log; rm -f /tmp/gradle.log',
  ].join(' && '),
  network: true,
}

/** One recipe: the version of the wrapper, and of Java what the toolchain or the compatibility asks for. */
export async function gradleRecipes(input: RecipeInput): Promise<readonly Recipe[]> {
  const manifests = await openManifests(input.tree)
  const builds = buildFolders(manifests)
  const projects = testedProjects(manifests, builds)
  if (projects.length === 0) return []
  const files = await buildFiles(manifests)
  const gradle = await wrapperVersion(manifests, builds)
  const java = await javaVersion(manifests, files, gradle.version)
  return [
    {
      schema: 'r2e.recipe/1',
      language: 'java',
      baseImage: `gradle:${gradle.version}-jdk${java.release}`,
      system: [],
      env: { GRADLE_USER_HOME: '/r2e/gradle-home' },
      files: [
        ...[
          ...files,
          ...stubSources(
            manifests.paths,
            projects.map((folder) => ({ folder })),
          ),
        ].map((file) => ({
          ...file,
          path: `${gradleFolder}/${file.path}`,
        })),
        { path: 'builds', text: builds.map((folder) => `${folder}\n`).join('') },
      ],
      dependencies: [warmUp],
      setup: [],
      project: [],
      runner: 'gradle',
      suite: projects.map(gradleReports),
      testEnv: {},
      manifests: manifests.used(),
      origin: [gradle.origin, java.origin].filter((row) => row !== undefined),
    },
  ]
}

/** The outermost folders that have settings, or without any a build script. */
function buildFolders(manifests: Manifests): string[] {
  const named = (pattern: RegExp) =>
    manifests.paths.filter((path) => pattern.test(baseName(path)) && !foreign.test(path)).map(folderOf)
  const settings = named(/^settings\.gradle(?:\.kts)?$/)
  const folders = [...new Set(settings.length > 0 ? settings : named(/^build\.gradle(?:\.kts)?$/))]
  const own = folders.filter((folder) => !/(?:^|\/)(?:buildSrc|build-logic)$/.test(folder))
  return own.filter(
    (folder) => !own.some((other) => other !== folder && (other === '' || folder.startsWith(`${other}/`))),
  )
}

function testedProjects(manifests: Manifests, builds: readonly string[]): string[] {
  const projects = manifests.paths.filter(isUnitTest).map(projectOfFile)
  return [...new Set(projects)]
    .filter((project) => project !== undefined)
    .filter((project) => builds.some((build) => build === '' || project === build || project.startsWith(`${build}/`)))
    .sort()
}

function buildFiles(manifests: Manifests): Promise<RecipeFile[]> {
  const paths = manifests.paths.filter(
    (path) => (buildFile.test(path) || buildLogic.test(path)) && !foreign.test(path) && !/[\n\r]/.test(path),
  )
  return Promise.all(paths.map(async (path) => ({ path, text: (await manifests.read(path)) ?? '' })))
}

interface Declared {
  readonly origin: RecipeOrigin | undefined
}

async function wrapperVersion(
  manifests: Manifests,
  builds: readonly string[],
): Promise<Declared & { version: string }> {
  for (const build of builds) {
    const file = joinPath(build, 'gradle/wrapper/gradle-wrapper.properties')!
    if (!manifests.has(file)) continue
    const version = /^distributionUrl=.*gradle-(\d+(?:\.\d+){1,2})-/m.exec((await manifests.read(file)) ?? '')?.[1]
    if (version !== undefined) return { version, origin: { fact: `Gradle ${version}`, file } }
  }
  return { version: '8.14', origin: undefined }
}

const javaPatterns = [
  /languageVersion[^\n]*?(?:JavaLanguageVersion\.of|of)\(\s*["']?(\d+)/,
  /jvmToolchain\(\s*(\d+)/,
  /(?:options\.release|sourceCompatibility)[^\n]*?(?:VERSION_)?(1[._]\d|\d{1,2})/,
]

/** What the build asks for, within what its Gradle runs on. */
async function javaVersion(
  manifests: Manifests,
  files: readonly RecipeFile[],
  gradle: string,
): Promise<Declared & { release: number }> {
  const asked =
    (await javaVersionFile(manifests)) ??
    javaPatterns
      .flatMap((pattern) =>
        files.map(({ path, text }) => ({ path, release: releaseNumber(pattern.exec(text)?.[1]?.replace('_', '.')) })),
      )
      .filter((row): row is { path: string; release: number } => row.release !== undefined)
      .map(({ path, release }) => ({ release, origin: { fact: `Java ${release}`, file: path } }))
      .sort((a, b) => b.release - a.release)[0]
  const newest = newestJava(gradle)
  const wanted = imageRelease(Math.max(asked?.release ?? 17, gradle.startsWith('9.') ? 17 : 8))
  if (wanted <= newest) return { release: wanted, origin: asked?.origin }
  const origin = asked && { ...asked.origin, fact: `${asked.origin.fact}, newest for Gradle ${gradle} is ${newest}` }
  return { release: newest, origin }
}

/** The newest release with long-term support that a version of Gradle runs on. */
function newestJava(gradle: string): number {
  const [major = 0, minor = 0] = gradle.split('.').map(Number)
  const number = major * 100 + minor
  if (number >= 901) return 25
  if (number >= 805) return 21
  if (number >= 703) return 17
  return number >= 500 ? 11 : 8
}
