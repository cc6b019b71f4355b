import type { HiddenSource } from '@r2e/spec'
import { baseName } from '../path.ts'
import { readOnce } from '../read-once.ts'
import { isProgram, isTestPath } from './roles.ts'
import { cppTestCases, stemOf } from './test-cases.ts'

/**
 * Whether a test can come from one of these files: `program::case` where a file declares the case, a test of a build
 * system (`ctest::name`, `project::name`, `check::folder/name`) where a file registers that name or is named so.
 * `make::check` is everything.
 */
export function cppOwnsTest(files: readonly HiddenSource[], id: string): boolean {
  const at = id.indexOf('::')
  if (at < 0) return false
  const scope = id.slice(0, at)
  const name = id.slice(at + 2).replace(/ #\d+$/, '')
  if (scope === 'make') return files.some(({ path }) => isTestPath(path))
  const forms = formsOf(name)
  return files.some((file) => {
    const names = caseNames(file)
    return forms.some((form) => names.has(form)) || (isProgram(file.path) && isNamedAs(file.path, scope, name, names))
  })
}

/** A test named as a file; a program named so where nothing is known of the cases in that file. */
function isNamedAs(path: string, scope: string, name: string, names: ReadonlySet<string>): boolean {
  const stem = bare(stemOf(path))
  if (stem === '') return false
  if (bare(baseName(name.split(' > ')[0]!)) === stem) return true
  return names.has(stemOf(path)) && bare(baseName(scope)) === stem
}

/** Without case, separators and the word test: `test_parse-number` and `ParseNumberTest` are one. */
function bare(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/^(?:unit)?tests?(?=.)|(?<=.)(?:unit)?tests?$/g, '')
}

/** How a file may write the name: without instance, row or type, without the suite of doctest. */
function formsOf(name: string): string[] {
  const [, suite = '', test = ''] = /^([^.]+)\.([^/]+)(?:\/.*)?$/s.exec(name) ?? []
  const inSuite = name.split(' > ').at(-1)!
  return [
    name,
    ...suite.split('/').map((part) => `${part}.${test}`),
    inSuite,
    inSuite.replace(/ - [^-]*$/, ''),
    inSuite.replace(/<.*>$/s, ''),
  ]
}

const caseNames = readOnce(
  ({ path, text }: HiddenSource): ReadonlySet<string> => new Set(cppTestCases(path, text).map(({ name }) => name)),
)
