import { header, slug, trimmed } from './cpp.ts'
import type { LanguageSample } from './index.ts'

const before = slug('')
const after = slug(trimmed)
const subject = 'Fix slugs of titles with extra blanks'
const fix = `${subject}\n\nBlanks at the start or in a row gave doubled hyphens where one is expected.`

type Files = Readonly<Record<string, string>>

/** One fix of a small library: `test` holds its cases, and one more that the fix brings. */
const sample = (
  runner: string,
  build: Files,
  path: string,
  test: (more: boolean) => string,
  ids: readonly string[],
): LanguageSample => ({
  language: 'cpp',
  runner,
  image: 'lab/cpp',
  history: [
    { commit: 'Start the slug library', files: { ...build, 'src/slug.h': header(), 'src/slug.cc': before, [path]: test(false) } },
    { commit: fix, files: { 'src/slug.cc': after, [path]: test(true) } },
  ],
  expected: { [subject]: { failToPass: [ids[0]!], keeps: ids.slice(1) } },
})

const cmake = (framework: string, target: string): Files => ({
  'CMakeLists.txt': `cmake_minimum_required(VERSION 3.20)
project(slug CXX)
set(CMAKE_CXX_STANDARD 17)
enable_testing()
find_package(${framework} REQUIRED)
add_library(slug src/slug.cc)
target_include_directories(slug PUBLIC src)
add_executable(slug_test tests/slug_test.cc)
target_link_libraries(slug_test slug ${target})
add_test(NAME all COMMAND slug_test)
`,
})

const catchCases = (more: boolean) => `#include <catch2/catch_test_macros.hpp>

#include "slug.h"

TEST_CASE("lowers, as any slug", "[slug]") {
  SECTION("one letter") { CHECK(make_slug("A") == "a"); }
  SECTION("two letters") { CHECK(make_slug("AB") == "ab"); }
}
TEST_CASE("lowers", "[slug]") { CHECK(make_slug("A") == "a"); }
${more ? 'TEST_CASE("trims [blanks] * all") { CHECK(make_slug(" a") == "a"); }\n' : ''}`

const doctestCases = (more: boolean) => `#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include "slug.h"

TEST_SUITE("slug") {
  TEST_CASE("lowers, as any slug") {
    SUBCASE("one letter") { CHECK(make_slug("A") == "a"); }
    SUBCASE("two letters") { CHECK(make_slug("AB") == "ab"); }
  }
  TEST_CASE("lowers") { CHECK(make_slug("A") == "a"); }
${more ? '  TEST_CASE("trims * blanks") { CHECK(make_slug(" a") == "a"); }\n' : ''}}
`

/** A program that runs the check named by its argument. */
const plainCases = (more: boolean) => `#include <string>

#include "slug.h"

int main(int, char **arguments) {
  std::string name = arguments[1] ? arguments[1] : "";
  if (name == "lowers") return make_slug("A") != "a";
  if (name == "blanks") return make_slug("a b") != "a-b";
${more ? '  if (name == "trims") return make_slug(" a") != "a";\n' : ''}  return 0;
}
`

export const catch2 = sample(
  'ctest',
  cmake('Catch2 3', 'Catch2::Catch2WithMain'),
  'tests/slug_test.cc',
  catchCases,
  ['slug_test::trims [blanks] * all', 'slug_test::lowers, as any slug', 'slug_test::lowers'],
)

export const doctest = sample(
  'ctest',
  cmake('doctest', 'doctest::doctest'),
  'tests/slug_test.cc',
  doctestCases,
  ['slug_test::slug > trims * blanks', 'slug_test::slug > lowers, as any slug', 'slug_test::slug > lowers'],
)

export const meson = sample(
  'meson',
  {
    'meson.build': `project('slug', 'cpp', default_options: ['cpp_std=c++17'])
slug = static_library('slug', 'src/slug.cc', include_directories: 'src')
program = executable('slug_test', 'tests/slug_test.cc', link_with: slug, include_directories: 'src')
foreach name : ['lowers', 'blanks', 'trims']
  test(name, program, args: [name])
endforeach
`,
  },
  'tests/slug_test.cc',
  plainCases,
  ['slug::trims', 'slug::lowers', 'slug::blanks'],
)

const automakeCase = (title: string, wanted: string) =>
  `#include "slug.h"\n\nint main() { return make_slug("${title}") != "${wanted}"; }\n`

export const automake: LanguageSample = {
  language: 'cpp',
  runner: 'make',
  image: 'lab/cpp',
  history: [
    {
      commit: 'Start the slug library',
      files: {
        'configure.ac':
          'AC_INIT([slug], [1.0])\nAM_INIT_AUTOMAKE([foreign subdir-objects])\nAC_PROG_CXX\nAM_PROG_AR\nAC_PROG_RANLIB\nAC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n',
        'Makefile.am': `noinst_LIBRARIES = libslug.a
libslug_a_SOURCES = src/slug.cc src/slug.h
AM_CPPFLAGS = -I$(srcdir)/src
LDADD = libslug.a
check_PROGRAMS = tests/lowers tests/blanks
tests_lowers_SOURCES = tests/lowers.cc
tests_blanks_SOURCES = tests/blanks.cc
TESTS = $(check_PROGRAMS)
`,
        'src/slug.h': header(),
        'src/slug.cc': before,
        'tests/lowers.cc': automakeCase('A', 'a'),
        'tests/blanks.cc': automakeCase('a b', 'a-b'),
      },
    },
    { commit: fix, files: { 'src/slug.cc': after, 'tests/blanks.cc': automakeCase(' a  b', 'a-b') } },
  ],
  expected: { [subject]: { failToPass: ['check::tests/blanks'], keeps: ['check::tests/lowers'] } },
}
