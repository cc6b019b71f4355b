import { baseName, folderOf } from '../path.ts'
import { type BuildFiles, projectNames, shallowest } from './build-files.ts'
import { providerFile } from './fetch-provider.ts'
import { guardsOfTests } from './guarded-tests.ts'
import { isPackaged } from './system-packages.ts'
import { isHarmless, testOption } from './test-options.ts'

export function isCmakeFile(name: string): boolean {
  return name === 'CMakeLists.txt' || name.endsWith('.cmake')
}

const registersTests =
  /\b(?:enable_testing|add_test|(?:gtest|catch|doctest)_(?:discover|add)_tests)\s*\(|include\s*\(\s*"?CTest"?\s*\)|GTest|gtest|Catch2|doctest/i

const declaresProject = /\bproject\s*\(/i

/** Folders of projects with tests: the whole one, then one that stands for itself, as tests of a library of headers do. */
export function cmakeProjects(files: BuildFiles): readonly string[] {
  const whole = registersTests.test(files.whole) ? shallowest(files, 'CMakeLists.txt', declaresProject) : undefined
  if (whole === undefined) return []
  const own = [...files.texts].find(
    ([path, text]) =>
      folderOf(path) !== whole &&
      baseName(path) === 'CMakeLists.txt' &&
      declaresProject.test(text) &&
      /\benable_testing\s*\(/i.test(text),
  )
  return own ? [whole, folderOf(own[0])] : [whole]
}

/** Assertions stay on and nothing is optimised; what a build would fetch is looked for in the image. */
const always = [
  '-DCMAKE_BUILD_TYPE=Debug',
  '-DCMAKE_C_FLAGS_DEBUG=',
  '-DCMAKE_CXX_FLAGS_DEBUG=',
  '-DBUILD_TESTING=ON',
  '-DCMAKE_POLICY_VERSION_MINIMUM=3.5',
  `-DCMAKE_PROJECT_TOP_LEVEL_INCLUDES=/r2e/${providerFile}`,
  '-DFETCHCONTENT_TRY_FIND_PACKAGE_MODE=ALWAYS',
  '-DFETCHCONTENT_UPDATES_DISCONNECTED=ON',
  '-DFETCHCONTENT_SOURCE_DIR_GOOGLETEST=/usr/src/googletest',
  '-DFETCHCONTENT_SOURCE_DIR_GTEST=/usr/src/googletest',
  '-DCPM_USE_LOCAL_PACKAGES=ON',
]

/** Options of every project, and the project's own that switch its tests on, or that its tests are registered under. */
export function cmakeOptions(files: BuildFiles): {
  readonly always: readonly string[]
  readonly own: readonly string[]
} {
  const { whole } = files
  const projects = projectNames(files)
  const guards = guardsOfTests(files)
  const declared = [
    ...whole.matchAll(/\b(?:cmake_dependent_)?option\s*\(\s*([A-Za-z]\w*)/gi),
    ...whole.matchAll(/\bset\s*\(\s*([A-Za-z]\w*)\s[^()\n]*\bCACHE\s+BOOL\b/gi),
  ]
  const names = new Set(declared.map((match) => match[1]!).filter((name) => name !== 'BUILD_TESTING'))
  const own = [...names].flatMap((name) => {
    const value = testOption(name, projects) ?? (guards.has(name) && isHarmless(name, projects) ? true : undefined)
    return value === undefined ? [] : [`-D${name}=${value ? 'ON' : 'OFF'}`]
  })
  return { always, own: own.sort() }
}

/** What the build looks for, by the name of its find module or of pkg-config. */
export function cmakeNeeds({ whole }: BuildFiles): string[] {
  const found = [...whole.matchAll(/\bfind_package\s*\(\s*([\w+-]+)/gi)].map((match) => match[1]!)
  const modules = [...whole.matchAll(/\bpkg_(?:check_modules|search_module)\s*\(([^()]*)\)/gi)].flatMap((match) =>
    match[1]!
      .split(/\s+/)
      .slice(1)
      .map((word) => word.replace(/[<>=].*$/, '')),
  )
  return [...new Set([...found, ...modules, ...fetched(whole)])]
}

/** What the build would fetch and Debian does not have: the likely reason where it fails. */
export function cmakeFetches({ whole }: BuildFiles): string[] {
  return fetched(whole).filter((name) => !isPackaged(name))
}

function fetched(text: string): string[] {
  const declared = text.matchAll(/\b(?:FetchContent_Declare|ExternalProject_Add)\s*\(\s*([\w.+-]+)/gi)
  const cpm = text.matchAll(
    /\bCPM(?:Add|Find)Package\s*\(\s*(?:"[a-z]+:[^"/]*\/([\w.+-]+)|[^()]*?\bNAME\s+"?([\w.+-]+))/gi,
  )
  return [...new Set([...[...declared].map((match) => match[1]!), ...[...cpm].map((match) => (match[1] ?? match[2])!)])]
}
