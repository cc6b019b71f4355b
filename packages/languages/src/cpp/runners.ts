import type { Recipe, RunCommand, Runner } from '@r2e/spec'
import { isProgram } from './roles.ts'

/** Where a build lies, in the image and at grading: the compiler's cache knows files by their place. */
export const buildFolder = '/r2e/build'

/** Names below `/r2e/`: options of the build system, one a line. */
export const optionsFile = 'options'

/** What a run and the warm-up of the compiler's cache must have in common. */
export const cacheEnvironment: Readonly<Record<string, string>> = {
  CCACHE_DIR: '/r2e/ccache',
  // Restored files are as new as the build: their age says nothing.
  CCACHE_SLOPPINESS: 'include_file_mtime,include_file_ctime',
  CMAKE_C_COMPILER_LAUNCHER: 'ccache',
  CMAKE_CXX_COMPILER_LAUNCHER: 'ccache',
}

const shared = ['native_run.py', 'native_programs.py']

/** CMake and ctest: each program of a known test framework by itself. */
export const ctestRunner: Runner = nativeRunner({
  name: 'ctest',
  words: ['cmake'],
  reporter: 'cmake_tests.py',
  reporters: [...shared, 'cmake_tests.py'],
  parses: ['catch-xml', 'gtest-json', 'junit-ctest'],
  byFile: true,
})

export const mesonRunner: Runner = nativeRunner({
  name: 'meson',
  reporter: 'meson_tests.py',
  reporters: [...shared, 'meson_tests.py'],
  parses: ['catch-xml', 'gtest-json', 'junit-meson'],
  byFile: true,
})

/** Automake's tests one by one; any other Makefile as one test, the last resort. */
export const makeRunner: Runner = nativeRunner({
  name: 'make',
  reporter: 'make_tests.py',
  reporters: ['native_run.py', 'make_tests.py'],
  byFile: false,
})

interface NativeRunner extends Pick<Runner, 'name' | 'words' | 'reporters' | 'parses'> {
  readonly reporter: string
  /** Whether the reporter can tell which tests are made from a file. */
  readonly byFile: boolean
}

/** `suite` of the recipe: the folder of the build description, and for make the target. */
function nativeRunner({ name, words, reporter, reporters, parses, byFile }: NativeRunner): Runner {
  const command = (recipe: Recipe, ...selection: readonly string[]): RunCommand => {
    const [folder = '.', target] = recipe.suite
    return {
      argv: [
        ...(recipe.testCommand ?? ['python3', '-I']),
        `{tests}/reporters/${reporter}`,
        ...['--out', '{report}/0.jsonl', '--source', folder, '--build', buildFolder],
        ...(target === undefined ? [] : ['--target', target]),
        ...selection,
        ...['--', ...recipeOptions(recipe)],
      ],
      report: '0.jsonl',
    }
  }
  return {
    name,
    words,
    format: 'events-jsonl',
    env: {},
    reporters,
    parses,
    suite: (recipe) => [command(recipe)],
    files: (recipe, paths) => [
      command(recipe, ...(byFile ? paths.filter(isProgram).map((path) => `--file=${path}`) : [])),
    ],
    select: (recipe, id) => command(recipe, `--test=${id}`),
  }
}

function recipeOptions(recipe: Recipe): string[] {
  const text = recipe.files.find(({ path }) => path === optionsFile)?.text ?? ''
  return text.split('\n').filter((line) => line !== '')
}
