import type { LanguagePack } from '@r2e/spec'
import { weigh } from '../weight.ts'
import { cppOwnsTest } from './owns-test.ts'
import { cppRecipes } from './recipe.ts'
import { cppRole } from './roles.ts'
import { ctestRunner, makeRunner, mesonRunner } from './runners.ts'
import { cppTestCases } from './test-cases.ts'

const manifests = ['CMakeLists.txt', 'meson.build', 'configure.ac', 'Makefile.am']
const runnerFiles = ['CTestConfig.cmake', 'CTestCustom.cmake']

export const cppPack: LanguagePack = {
  contract: 'r2e.language/1',
  name: 'cpp',
  aliases: ['c', 'c++', 'cxx'],
  detect: (paths) => weigh(paths, { files: /\.(c|cc|cpp|cxx|h|hh|hpp|hxx)$/i, manifests, locks: [] }),
  role: cppRole,
  manifests: [
    ...manifests,
    ...['*.cmake', 'meson_options.txt', 'meson.options', 'configure.in', '*.m4', '*.wrap', '.gitmodules'],
    ...['Makefile', 'GNUmakefile', 'makefile'],
  ],
  runnerFiles,
  // No names of tests: a build description outside the test folders may list a test file that a solution adds.
  purge: {
    names: ['*.o', '*.lo', '*.gcda', '*.gcno', '*.trs', ...runnerFiles],
    folders: [],
    skip: ['.git', 'node_modules'],
  },
  testCases: cppTestCases,
  ownsTest: cppOwnsTest,
  runners: [ctestRunner, makeRunner, mesonRunner],
  recipes: cppRecipes,
}
