import type { Recipe } from '@r2e/spec'
import { describe, expect, it } from 'vitest'
import { recipeInput } from '../__fixtures__/recipe-input.ts'
import { cppRecipes } from './recipe.ts'
import { ctestRunner, makeRunner, mesonRunner } from './runners.ts'
import { testOption } from './test-options.ts'

const cmake = `cmake_minimum_required(VERSION 3.20)
project(words C CXX)
option(WORDS_BUILD_TESTS "Build the tests" OFF) # option(WORDS_COMMENTED_TESTS "" OFF)
option(WORDS_FUZZ_TESTS "" OFF)
option(WORDS_WERROR "" ON)
find_package(ZLIB REQUIRED)
find_package(Words)
pkg_check_modules(XML REQUIRED IMPORTED_TARGET libxml-2.0>=2.9)
FetchContent_Declare(googletest GIT_REPOSITORY x)
FetchContent_Declare(unheard_of GIT_REPOSITORY x)
CPMAddPackage("gh:fmtlib/fmt#10.0.0")
enable_testing()
`
const recipesOf = (files: Readonly<Record<string, string>>) => cppRecipes(recipeInput(files))
const optionsOf = (recipe: Recipe | undefined) => recipe?.files[0]?.text.split('\n') ?? []

describe('the recipes of C and C++', () => {
  it('build with CMake, the tests switched on, then without guesses', async () => {
    const [first, second, ...rest] = await recipesOf({
      'CMakeLists.txt': cmake,
      'third_party/x/CMakeLists.txt': 'find_package(Boost)',
    })
    expect(rest).toEqual([])
    expect(first).toMatchObject({
      runner: 'ctest',
      suite: ['.'],
      baseImage: 'debian:trixie',
      manifests: ['CMakeLists.txt'],
    })
    expect(optionsOf(first)).toEqual(
      expect.arrayContaining(['-DBUILD_TESTING=ON', '-DWORDS_BUILD_TESTS=ON', '-DWORDS_WERROR=OFF']),
    )
    expect(optionsOf(first).join()).not.toMatch(/FUZZ|COMMENTED/)
    expect(optionsOf(second).join()).not.toContain('WORDS')
  })

  it('install what the build looks for, but not the project itself [E11]', async () => {
    const files = { 'CMakeLists.txt': cmake, 'tests/a_test.cc': '#include <doctest/doctest.h>\n' }
    const [recipe] = await recipesOf(files)
    expect(recipe?.system).toEqual(
      expect.arrayContaining([
        'zlib1g-dev',
        'libxml2-dev',
        'googletest',
        'libfmt-dev',
        'doctest-dev',
        'ccache',
        'cmake',
      ]),
    )
    const [own] = await recipesOf({ 'CMakeLists.txt': 'project(FMT CXX)\nfind_package(fmt)\nenable_testing()' })
    expect(own?.system).not.toContain('libfmt-dev')
  })

  it('switch on what tests are registered under', async () => {
    const tests = `if (ENABLE_UTILS AND (EXTRA OR NOT PLAIN))
  foreach (name a b)
    add_executable(\${name} \${name}.c)
  endforeach()
elseif (SECOND)
  discover_tests()
else()
  set(x 1)
endif()
if (ENABLE_VALGRIND OR FMT_PEDANTIC OR BUILD_SHARED_LIBS)
  add_test(NAME slow COMMAND a)
endif()
if (WITH_COLOURS)
  set(y 1)
endif()
if (UNDECLARED)
  add_test(NAME b COMMAND b)
endif()
`
    const names =
      'ENABLE_UTILS EXTRA PLAIN SECOND ENABLE_VALGRIND FMT_PEDANTIC BUILD_SHARED_LIBS WITH_COLOURS ELSEWHERE'
    const declared = names.split(' ').map((name) => `option(${name} "" OFF)\n`)
    const [recipe] = await recipesOf({
      'CMakeLists.txt': `project(a C)\n${declared.join('')}if (ELSEWHERE)\nadd_test(a b)\nendif()\n`,
      'tests/CMakeLists.txt': tests,
    })
    expect(optionsOf(recipe).filter((option) => option.endsWith('=ON') && names.includes(option.slice(2, -3)))).toEqual(
      ['-DENABLE_UTILS=ON', '-DEXTRA=ON'],
    )
  })

  it('answer what a build would fetch with what is installed', async () => {
    const [recipe] = await recipesOf({ 'CMakeLists.txt': cmake })
    expect(optionsOf(recipe)).toContain('-DCMAKE_PROJECT_TOP_LEVEL_INCLUDES=/r2e/provider.cmake')
    expect(recipe?.files.map(({ path }) => path)).toEqual(['options', 'source', 'provider.cmake'])
  })

  it('say what is out of reach', async () => {
    const [recipe] = await recipesOf({ 'CMakeLists.txt': cmake })
    expect(recipe?.origin.map(({ fact }) => fact)).toEqual(['ctest', 'unheard_of would be fetched and is not packaged'])
  })

  it('find a project below the root', async () => {
    const [recipe] = await recipesOf({ 'build/cmake/CMakeLists.txt': 'project(z C)\nadd_test(NAME a COMMAND b)' })
    expect(recipe?.suite).toEqual(['build/cmake'])
  })

  it('build tests that are a project of their own, where the whole has none', async () => {
    const apart = 'project(a_tests CXX)\nenable_testing()\nadd_test(NAME a COMMAND a)\n'
    const recipes = await recipesOf({ 'CMakeLists.txt': 'project(a CXX)\n', 'tests/CMakeLists.txt': apart })
    expect(recipes.map(({ suite }) => suite)).toEqual([['.'], ['tests']])
  })

  it('build with Meson', async () => {
    const [recipe] = await recipesOf({
      'meson.build': "project('words', 'c')\nx = dependency('zlib')\ntest('a', exe)\n",
      'meson_options.txt': "option('tests', type: 'feature', value: 'disabled')\noption('test_data', type: 'string')\n",
    })
    expect(recipe).toMatchObject({ runner: 'meson', suite: ['.'] })
    expect(optionsOf(recipe)).toContain('-Dtests=enabled')
    expect(optionsOf(recipe).join()).not.toContain('test_data')
    expect(recipe?.system).toContain('zlib1g-dev')
  })

  const makes: Readonly<Record<string, [files: Readonly<Record<string, string>>, target: string | undefined]>> = {
    'autotools with tests': [{ 'configure.ac': 'AC_INIT([a],[1])', 'tests/Makefile.am': 'TESTS = a b\n' }, 'check'],
    'a Makefile with a check': [{ Makefile: 'all:\n\ttrue\ncheck: all\n\t./t\n' }, 'check'],
    'a Makefile with a test': [{ Makefile: 'CC = gcc\n.PHONY: test\ntest:\n\t./t\n' }, 'test'],
    'a Makefile without either': [{ Makefile: 'test := a\nall:\n\ttrue\n' }, undefined],
  }
  for (const [title, [files, target]] of Object.entries(makes))
    it(`${target === undefined ? 'are none for' : 'run'} ${title}`, async () => {
      const recipes = await recipesOf(files)
      expect(recipes.map(({ runner, suite }) => [runner, ...suite])).toEqual(
        target === undefined ? [] : [['make', '.', target]],
      )
    })

  it('hold no text of the repository in a shell line', async () => {
    const [recipe] = await recipesOf({ 'sub $(x)/CMakeLists.txt': cmake })
    expect(recipe?.files).toContainEqual({ path: 'source', text: 'sub $(x)\n' })
    expect(recipe?.project.map(({ run }) => run).join()).not.toMatch(/sub|WORDS/)
  })
})

describe('the name of an option', () => {
  const rows: Readonly<Record<string, boolean | undefined>> = {
    FMT_TEST: true,
    BUILD_TESTS: true,
    ENABLE_CJSON_TEST: true,
    JSON_BuildTests: true,
    LIB_UNITTESTS: true,
    WITH_TESTING: true,
    FMT_WERROR: false,
    WARNINGS_AS_ERRORS: false,
    JSON_FastTests: undefined,
    INSTALL_GTEST: undefined,
    FMT_CUDA_TEST: undefined,
    SKIP_TESTS: undefined,
    ATTEST_MODE: undefined,
    LATEST: undefined,
    CONTEST_RULES: undefined,
    FASTFLOAT_TEST: true,
    FASTGLTF_ENABLE_TESTS: true,
    LONGTAIL_TESTS: true,
    PERFETTO_TESTS: true,
    SHIP_BUILD_TESTS: true,
    BUILD_COMPILE_TESTS: true,
    FMT_COMPILE_FAIL_TESTS: undefined,
    BUILD_SLOWTESTS: undefined,
    ENABLE_FUZZING_TESTS: undefined,
    USE_SANITIZERS_TEST: undefined,
    BUILD_BENCHMARK_TESTS: undefined,
    gtest_build_tests: undefined,
  }
  const inProject: readonly [name: string, project: string, value: boolean | undefined][] = [
    ['gtest_build_tests', 'gtest', true],
    ['gtest_force_shared_crt', 'gtest', undefined],
    ['FAST_FLOAT_TEST', 'fast_float', true],
    ['LONG_TESTS', 'long', true],
    ['LONG_TESTS', 'longer', undefined],
    ['TESTS_ENABLED', 'tests', true],
  ]
  for (const [name, project, value] of inProject)
    it(`${name} is ${value ? 'switched on' : 'left as it is'} in ${project}`, () =>
      expect(testOption(name, [project])).toBe(value))
  for (const [name, value] of Object.entries(rows))
    it(`${name} is ${value === undefined ? 'left as it is' : value ? 'switched on' : 'switched off'}`, () =>
      expect(testOption(name)).toBe(value))
})

describe('the commands of C and C++', async () => {
  const [recipe] = (await recipesOf({ 'CMakeLists.txt': 'project(a C)\nadd_test(NAME a COMMAND b)' })) as [Recipe]
  const line = (argv: readonly string[]) => argv.join(' ').replace(/ -- .*$/, '')
  const head = 'python3 -I {tests}/reporters/cmake_tests.py --out {report}/0.jsonl --source . --build /r2e/build'

  it('build afresh and run everything, options of the recipe last [B3]', () => {
    const [command, ...rest] = ctestRunner.suite(recipe)
    expect(rest).toEqual([])
    expect(line(command!.argv)).toBe(head)
    expect(command!.argv.slice(command!.argv.indexOf('--') + 1)).toEqual(optionsOf(recipe).slice(0, -1))
    expect(command!.report).toBe('0.jsonl')
  })

  it('name the files that are compiled by themselves', () => {
    const [command] = ctestRunner.files(recipe, ['tests/-a.cc', 'tests/a.h', 'tests/CMakeLists.txt'])
    expect(line(command!.argv)).toBe(`${head} --file=tests/-a.cc`)
  })

  for (const id of ['ctest::with blanks', 'tests/a::Inst/Suite.Name/0'])
    it(`select ${id} [X9 X10]`, () => expect(line(ctestRunner.select(recipe, id).argv)).toBe(`${head} --test=${id}`))

  it('start the reporter by the program of the user', () => {
    const own = { ...recipe, testCommand: ['env', 'A=b', 'python3'] }
    expect(line(ctestRunner.suite(own)[0]!.argv)).toMatch(/^env A=b python3 \{tests\}/)
  })

  it('name the target of make, and each its reporter', () => {
    const makefile = { ...recipe, runner: 'make', suite: ['.', 'check'] }
    expect(line(makeRunner.suite(makefile)[0]!.argv)).toContain(
      'make_tests.py --out {report}/0.jsonl --source . --build /r2e/build --target check',
    )
    expect(line(mesonRunner.suite(recipe)[0]!.argv)).toContain('{tests}/reporters/meson_tests.py')
  })
})
