import type { FileRole } from '@r2e/spec'
import { baseName, isDocumentation } from '../path.ts'

const sourceFile = /\.(?:[cm]?[jt]sx?|vue|svelte)$/i
const testName = /(?:^|[-_.])(?:test|tests|spec|e2e|cy|test-d)\.[cm]?[jt]sx?$/i
const testFolders = new Set([
  'test',
  'tests',
  'spec',
  'specs',
  'e2e',
  'cypress',
  'test-d',
  '__tests__',
  '__test__',
  '__mocks__',
  '__fixtures__',
  '__testfixtures__',
  '__snapshots__',
])
const setupName = /^(?:(?:jest|vitest|mocha)[-.]?setup|setup-?tests?)\b.*\.[cm]?[jt]sx?$/i
/** Files that steer a tool. Those of bundlers and compilers are left to the general rules: a build is part of the source. */
const toolName =
  /^(?:(?:jest|vitest|vite|ava|karma|eslint|prettier|commitlint|lint-staged|release|stylelint|playwright|cypress|wdio|stryker|knip|typedoc)\.(?:config|conf|workspace|preset|projects)\b.*|\.(?:mocharc|eslintrc|prettierrc|stylelintrc|commitlintrc|lintstagedrc|taprc|nycrc|c8rc)\b.*|dangerfile\.[jt]s|bunfig\.toml)$/i

const code = /(?<!\.d)\.[cm]?[jt]sx?$/i
/** Type tests are checked by a compiler and not run. */
const typeTest = /\.test-d\.[cm]?tsx?$/i
const runFolder = /^(?:tests?|specs?|__tests?__)$/
const fixtureFolder = /^(?:__|test)?fixtures?(?:__)?$|^__(?:mocks|snapshots|testfixtures)__$/
/** What tests keep for themselves directly in their folder. Deeper, and above, such a name is that of the source tested. */
const ownTools = /^(?:(?:__)?helpers?(?:__)?|support|data)$/

/** Whether runners take a file for tests by its name or place. Fixtures of tests are not run, nor are their own tools. */
export function isTestModule(path: string): boolean {
  if (!code.test(path) || typeTest.test(path)) return false
  if (testName.test(baseName(path))) return true
  const folders = foldersOf(path)
  if (baseName(path).startsWith('_') || isFixture(folders)) return false
  return (
    folders.some((part) => runFolder.test(part)) &&
    !folders.some((part, at) => ownTools.test(part) && runFolder.test(folders[at - 1] ?? ''))
  )
}

/** Whether a file's test calls are tests: all files of tests but what they load as data; those without calls have none. */
export function mayHoldCases(path: string): boolean {
  if (!code.test(path) || typeTest.test(path) || javascriptRole(path) !== 'test') return false
  return testName.test(baseName(path)) || !isFixture(foldersOf(path))
}

function isFixture(folders: readonly string[]): boolean {
  const first = folders.findIndex((part) => testFolders.has(part))
  return first >= 0 && folders.slice(first).some((part) => fixtureFolder.test(part))
}

function foldersOf(path: string): string[] {
  return path.toLowerCase().split('/').slice(0, -1)
}

/** A package of a workspace may be called so and be no test: `packages/spec/src`. */
const shippedPackage = /^(?:packages|libs|apps|modules|plugins)\/[^/]+\/(?:src|lib)\//i

/** `testing` is a test folder only at the root: below it, it is mostly a package of test tools that a project ships. */
export function javascriptRole(path: string): FileRole | undefined {
  if (isDocumentation(path)) return undefined
  const name = baseName(path)
  const folders = foldersOf(path)
  if (folders.includes('node_modules')) return 'other'
  const below = shippedPackage.test(path) ? folders.slice(2) : folders
  if (below.some((part) => testFolders.has(part)) || folders[0] === 'testing') return 'test'
  if (testName.test(name) || setupName.test(name) || name.endsWith('.snap')) return 'test'
  if (toolName.test(name)) return 'other'
  return sourceFile.test(name) ? 'source' : undefined
}
