import type { Recipe, RecipeFile, RecipeInput, RecipeOrigin, RecipeStep } from '@r2e/spec'
import { type Manifests, openManifests } from '../manifests.ts'
import { type BuildFiles, includedLibraries, projectNames, readBuildFiles } from './build-files.ts'
import { cmakeFetches, cmakeNeeds, cmakeOptions, cmakeProjects, isCmakeFile } from './cmake.ts'
import { fetchProvider, providerFile } from './fetch-provider.ts'
import { isMakeFile, makeNeeds, makeProject } from './make.ts'
import { isMesonFile, mesonNeeds, mesonOptions, mesonProject } from './meson.ts'
import { buildFolder, cacheEnvironment, optionsFile } from './runners.ts'
import { systemPackages } from './system-packages.ts'

/** Debian's own compiler and libraries fit each other; the image `gcc` has neither CMake nor libraries for its compiler. */
const baseImage = 'debian:trixie'
const toolchain = ['ccache', 'g++', 'libc6-dev', 'make', 'pkg-config']

/** Recipes in order of promise: CMake, Meson, make; each with the project's own options for tests, then without. */
export async function cppRecipes(input: RecipeInput): Promise<readonly Recipe[]> {
  const manifests = await openManifests(input.tree)
  const included = await includedLibraries(manifests)
  const origin = (await input.tree.submodules()).map((path) => ({
    fact: `submodule ${path} is left out`,
    file: '.gitmodules',
  }))
  return [
    ...cmakeRecipes(await readBuildFiles(manifests, isCmakeFile)),
    ...mesonRecipes(await readBuildFiles(manifests, isMesonFile)),
    ...makeRecipes(await readBuildFiles(manifests, isMakeFile), manifests),
  ].map((attempt) => recipeOf(attempt, included, origin))
}

interface Attempt {
  readonly runner: string
  readonly files: BuildFiles
  readonly suite: readonly string[]
  readonly options: readonly string[]
  readonly tools: readonly string[]
  readonly needs: readonly string[]
  readonly warmUp: string
  readonly testEnv?: Readonly<Record<string, string>>
  readonly facts?: readonly string[]
  readonly extra?: readonly RecipeFile[]
}

function recipeOf(attempt: Attempt, included: readonly string[], origin: readonly RecipeOrigin[]): Recipe {
  const { runner, files, suite, options, tools, needs, warmUp, testEnv = {}, facts = [], extra = [] } = attempt
  const manifests = [...files.texts.keys()].sort()
  const [first = ''] = manifests
  const step: RecipeStep = { run: `${warmUp}; rm -rf ${buildFolder}`, network: false, optional: true }
  return {
    schema: 'r2e.recipe/1',
    language: 'cpp',
    baseImage,
    system: [
      ...new Set([...toolchain, ...tools, ...systemPackages([...needs, ...included], projectNames(files))]),
    ].sort(),
    env: cacheEnvironment,
    files: [
      { path: optionsFile, text: options.map((option) => `${option}\n`).join('') },
      { path: 'source', text: `${suite[0]}\n` },
      ...extra,
    ],
    dependencies: [],
    setup: [],
    project: [step],
    runner,
    suite,
    testEnv,
    manifests,
    origin: [{ fact: runner, file: first }, ...facts.map((fact) => ({ fact, file: first })), ...origin],
  }
}

const source = '"./$(cat /r2e/source)"'
const withOptions = `xargs -d '\\n' -a /r2e/${optionsFile}`

function cmakeRecipes(files: BuildFiles): Attempt[] {
  const [whole, apart] = cmakeProjects(files)
  if (whole === undefined) return []
  const { always, own } = cmakeOptions(files)
  const attempt = (folder: string, options: readonly string[]): Attempt => ({
    runner: 'ctest',
    files,
    suite: [folder || '.'],
    options,
    tools: ['cmake', 'ninja-build'],
    needs: cmakeNeeds(files),
    warmUp: `(${withOptions} cmake -S ${source} -B ${buildFolder} -G Ninja && cmake --build ${buildFolder} --parallel 4 -- -k 0) > /dev/null 2>&1`,
    extra: [{ path: providerFile, text: fetchProvider }],
    facts: cmakeFetches(files).map((name) => `${name} would be fetched and is not packaged`),
  })
  return [
    ...(own.length > 0 ? [attempt(whole, [...always, ...own])] : []),
    attempt(whole, always),
    ...(apart === undefined ? [] : [attempt(apart, always)]),
  ]
}

function mesonRecipes(files: BuildFiles): Attempt[] {
  const folder = mesonProject(files)
  if (folder === undefined) return []
  const { always, own } = mesonOptions(files)
  const attempt = (options: readonly string[]): Attempt => ({
    runner: 'meson',
    files,
    suite: [folder || '.'],
    options,
    tools: ['meson', 'ninja-build'],
    needs: mesonNeeds(files),
    warmUp: `(${withOptions} meson setup ${buildFolder} ${source} && ninja -C ${buildFolder} -k 0 -j 4 all meson-test-prereq) > /dev/null 2>&1`,
  })
  return own.length > 0 ? [attempt([...always, ...own]), attempt(always)] : [attempt(always)]
}

const autoconf = 'test -e configure || test ! -e configure.ac || autoreconf -fi'
const configure = `test ! -e configure || ${withOptions} sh ./configure`

function makeRecipes(files: BuildFiles, manifests: Manifests): Attempt[] {
  const project = makeProject(files, manifests)
  if (project === undefined) return []
  const tree = `${buildFolder}/tree`
  return [
    {
      runner: 'make',
      files,
      suite: ['.', project.target],
      options: [],
      tools: project.autotools ? ['autoconf', 'automake', 'autopoint', 'gettext', 'libtool'] : [],
      needs: makeNeeds(files),
      warmUp: `(mkdir -p ${buildFolder} && cp -a . ${tree} && cd ${tree} && rm -rf .git && { ${autoconf}; } && { ${configure}; } && make -k -j 4; grep -rq --include=Makefile '^TEST_LOGS' . && make -k -j 4 check TESTS=) > /dev/null 2>&1`,
      testEnv: { CC: 'ccache gcc', CXX: 'ccache g++' },
    },
  ]
}
