import type { FileRole } from '@r2e/spec'
import { baseName, isDocumentation } from '../path.ts'

const code = /\.(?:c|cc|cpp|cxx|c\+\+|cppm|ixx|h|hh|hpp|hxx|h\+\+|ipp|inl|tpp|txx)$/i
const program = /\.(?:c|cc|cpp|cxx|c\+\+)$/i
const buildFile = /^(?:CMakeLists\.txt|meson\.build|(?:GNU)?[Mm]akefile(?:\.(?:am|in))?|.*\.(?:cmake|mk))$/
const testFolders = new Set([
  ...['test', 'tests', 'e2e', 't', 'testsuite', 'test-suite', 'gtests', 'spec'],
  ...['unittest', 'unittests', 'unit_test', 'unit_tests', 'unit-test', 'unit-tests'],
])
const foreignFolders = new Set(['third_party', 'third-party', 'thirdparty', '3rdparty', 'vendor', 'extern', 'external'])
/** `foo_test.cc`, `test-foo.c`, `foo.test.cpp`, `FooTest.cpp`, `TestFoo.cpp`, `unittests.cpp`; not `latest.c`. */
const testName =
  /^(?:[Tt]ests?[-_.].*|.*[-_.](?:[Uu]nit[-_]?)?(?:[Tt]ests?|[Ss]pec)|.*[A-Za-z0-9](?:Unit)?Tests?|Test[A-Z0-9].*|(?:unit[-_]?)?tests?)\.[^.]+$/

/** A file that the compiler is given by itself. */
export function isProgram(path: string): boolean {
  return program.test(path)
}

export function isCode(path: string): boolean {
  return code.test(path)
}

export function isForeign(path: string): boolean {
  return foldersOf(path).some((folder) => foreignFolders.has(folder))
}

/** Headers below `include` are what a project ships, a test framework's too. */
export function isTestPath(path: string): boolean {
  if (/^include\//i.test(path)) return false
  return foldersOf(path).some((folder) => testFolders.has(folder)) || (code.test(path) && testName.test(baseName(path)))
}

/** Build descriptions outside test folders are left to the general rules: the solution may change them. */
export function cppRole(path: string): FileRole | undefined {
  const isBuildFile = buildFile.test(baseName(path))
  if (isDocumentation(path) || !(code.test(path) || isBuildFile)) return undefined
  if (isForeign(path)) return 'other'
  if (isTestPath(path)) return 'test'
  return isBuildFile ? undefined : 'source'
}

function foldersOf(path: string): string[] {
  return path.toLowerCase().split('/').slice(0, -1)
}
