import type { RepositoryStep } from '../../../packages/testing/src/index.ts'
import type { LanguageSample } from './index.ts'

const build = `cmake_minimum_required(VERSION 3.20)
project(slug C CXX)
set(CMAKE_CXX_STANDARD 17)
option(SLUG_BUILD_TESTS "Build the tests" OFF)
file(GLOB sources CONFIGURE_DEPENDS src/*.cc)
add_library(slug \${sources})
target_include_directories(slug PUBLIC src)
if(SLUG_BUILD_TESTS)
  enable_testing()
  add_subdirectory(tests)
endif()
`

const testBuild = (sources: string, program = '') => `find_package(GTest REQUIRED)
include(GoogleTest)
add_executable(slug_test ${sources})
target_link_libraries(slug_test slug GTest::gtest_main)
gtest_discover_tests(slug_test)
add_executable(words words.c)
add_test(NAME words COMMAND words)
add_test(NAME words_of_nothing COMMAND words nothing)
set_tests_properties(words_of_nothing PROPERTIES WILL_FAIL TRUE)
${program}`

const titleProgram = `add_executable(title_test title_test.cc)
target_link_libraries(title_test slug GTest::gtest_main)
add_test(NAME title COMMAND title_test)
`

const words = `#include <stdio.h>

int main(int count, char **arguments) {
  printf("%s\\n", arguments[0]);
  return count > 1;
}
`

export const header = (more = '') => `#pragma once
#include <string>

/// A slug of a title.
std::string make_slug(const std::string &title);
${more}`

export const slug = (guard: string, more = '') => `#include "slug.h"

#include <cctype>

std::string make_slug(const std::string &title) {
  std::string made;
  for (unsigned char letter : title) {
    if (letter != ' ') made += static_cast<char>(std::tolower(letter));
    else ${guard}made += '-';
  }
  return made;
}
${more}`

export const trimmed = "if (!made.empty() && made.back() != '-') "
const cut = `
std::string cut_slug(const std::string &title, std::size_t length) { return make_slug(title).substr(0, length); }
`

// One that passes seldom: what it is in a few runs puts it in no list.
const slugTest = (lowers: string, more = '') => `#include <gtest/gtest.h>

#include <chrono>

#include "slug.h"

TEST(Slug, ${lowers}) { EXPECT_EQ("hello", make_slug("Hello")); }
TEST(Slug, NeedsNetwork) { GTEST_SKIP() << "no network"; }
TEST(Slug, DISABLED_KeepsUmlauts) { EXPECT_EQ("ä", make_slug("Ä")); }
TEST(Slug, Moves) {
  auto now = std::chrono::steady_clock::now().time_since_epoch();
  EXPECT_EQ(0, std::chrono::duration_cast<std::chrono::nanoseconds>(now).count() / 100 % 64);
}

class Words : public testing::TestWithParam<const char *> {};
TEST_P(Words, HaveNoBlanks) { EXPECT_EQ(std::string::npos, make_slug(GetParam()).find(' ')); }
INSTANTIATE_TEST_SUITE_P(Two, Words, testing::Values("a b", "c"));
${more}`

const trims = 'TEST(Slug, TrimsBlanks) { EXPECT_EQ("a-b", make_slug(" a  b")); }\n'

const cutTest = (name: string, title: string, length: number, wanted: string) => `#include <gtest/gtest.h>

#include "slug.h"

TEST(Cut, ${name}) { EXPECT_EQ("${wanted}", cut_slug("${title}", ${length})); }
`

const title = `#include "title.h"

std::string make_title(const std::string &slug) {
  std::string made = slug;
  for (char &letter : made)
    if (letter == '-') letter = ' ';
  return made;
}
`

const titleTest = `#include <gtest/gtest.h>

#include "title.h"

TEST(Title, HasBlanks) { EXPECT_EQ("a b", make_title("a-b")); }
`

const cutAtALetter = `
std::string cut_slug(const std::string &title, std::size_t length) {
  std::string made = make_slug(title).substr(0, length);
  if (!made.empty() && made.back() == '-') made.pop_back();
  return made;
}
`

const history: readonly RepositoryStep[] = [
  {
    commit: 'Start the slug library',
    files: {
      'CMakeLists.txt': build,
      'src/slug.h': header(),
      'src/slug.cc': slug(''),
      'tests/CMakeLists.txt': testBuild('slug_test.cc'),
      'tests/slug_test.cc': slugTest('LowersLetters'),
      'tests/words.c': words,
    },
  },
  {
    commit:
      'Fix slugs of titles with extra blanks\n\nBlanks at the start or in a row gave doubled hyphens where one is expected.',
    files: { 'src/slug.cc': slug(trimmed), 'tests/slug_test.cc': slugTest('LowersLetters', trims) },
  },
  {
    commit: 'Add slugs of a limited length\n\ncut_slug(title, length) gives the first characters of a slug.',
    files: {
      'src/slug.h': header('std::string cut_slug(const std::string &title, std::size_t length);\n'),
      'src/slug.cc': slug(trimmed, cut),
      'tests/CMakeLists.txt': testBuild('slug_test.cc cut_test.cc'),
      'tests/cut_test.cc': cutTest('IsShort', 'Hello', 3, 'hel'),
    },
  },
  {
    commit: 'Add titles made from slugs\n\nmake_title(slug) in title.h puts blanks where a slug has hyphens.',
    files: {
      'src/title.h': '#pragma once\n#include <string>\n\nstd::string make_title(const std::string &slug);\n',
      'src/title.cc': title,
      'tests/CMakeLists.txt': testBuild('slug_test.cc cut_test.cc', titleProgram),
      'tests/title_test.cc': titleTest,
    },
  },
  {
    commit: 'Fix slugs that end with a hyphen after they are cut\n\nA slug that is cut behind a word must end with a letter.',
    files: {
      'src/slug.cc': slug(trimmed, cutAtALetter),
      'tests/slug_test.cc': slugTest('LowersEveryLetter', trims),
      'tests/cut_test.cc': cutTest('EndsWithALetter', 'A b', 2, 'a'),
    },
  },
  { commit: 'Describe the slugs', files: { 'README.md': '# slug\n\nSlugs of titles, and titles of slugs.\n' } },
]

const kept = ['ctest::words', 'ctest::words_of_nothing', 'tests/slug_test::Two/Words.HaveNoBlanks/0']
const lost = ['tests/slug_test::Slug.NeedsNetwork', 'tests/slug_test::Slug.DISABLED_KeepsUmlauts', 'tests/slug_test::Slug.Moves']

export const cpp: LanguageSample = {
  language: 'cpp',
  runner: 'ctest',
  image: 'lab/cpp',
  history,
  expected: {
    'Fix slugs of titles with extra blanks': {
      failToPass: ['tests/slug_test::Slug.TrimsBlanks'],
      keeps: [...kept, 'tests/slug_test::Slug.LowersLetters'],
      loses: lost,
    },
    // The hidden file does not compile before it, so that its program is not there: tests of its other file stay what they were.
    'Add slugs of a limited length': {
      failToPass: ['tests/slug_test::Cut.IsShort'],
      keeps: [...kept, 'tests/slug_test::Slug.TrimsBlanks'],
      loses: lost,
    },
    'Add titles made from slugs': {
      failToPass: ['tests/title_test::Title.HasBlanks'],
      keeps: [...kept, 'tests/slug_test::Cut.IsShort'],
      loses: lost,
    },
    'Fix slugs that end with a hyphen after they are cut': {
      failToPass: ['tests/slug_test::Cut.EndsWithALetter'],
      keeps: [...kept, 'tests/slug_test::Slug.LowersEveryLetter'],
      loses: lost,
    },
    'Describe the slugs': { skip: 'empty_source_patch' },
  },
}
