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

/** Whether runners take a file for tests by its name or place; helpers and data beside tests are not. */
export function isTestModule(path: string): boolean {
  if (!/\.[cm]?[jt]sx?$/i.test(path) || /\.d\.[cm]?ts$/i.test(path)) return false
  if (/\.test-d\.[cm]?tsx?$/i.test(path)) return false
  if (testName.test(baseName(path))) return true
  const folders = path.toLowerCase().split('/').slice(0, -1)
  if (
    folders.some((part) =>
      /^(?:_?_?fixtures?_?_?|_?_?helpers?_?_?|support|utils?|__mocks__|__snapshots__|data)$/.test(part),
    )
  )
    return false
  return folders.some((part) => /^(?:tests?|specs?|__tests?__)$/.test(part)) && !baseName(path).startsWith('_')
}

/** `testing` is a test folder only at the root: below it, it is mostly a package of test tools that a project ships. */
export function javascriptRole(path: string): FileRole | undefined {
  if (isDocumentation(path)) return undefined
  const name = baseName(path)
  const folders = path.toLowerCase().split('/').slice(0, -1)
  if (folders.includes('node_modules')) return 'other'
  if (folders.some((part) => testFolders.has(part)) || folders[0] === 'testing') return 'test'
  if (testName.test(name) || setupName.test(name) || name.endsWith('.snap')) return 'test'
  if (toolName.test(name)) return 'other'
  return sourceFile.test(name) ? 'source' : undefined
}
