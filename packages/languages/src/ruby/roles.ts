import type { FileRole } from '@r2e/spec'
import { baseName, isDocumentation } from '../path.ts'

const testName = /(?:_spec|_test)\.rb$|^test_.*\.rb$|^(?:spec|test|rails)_helper\.rb$/
const testFolders = new Set(['test', 'tests', 'spec', 'specs', 'e2e'])
const buildFiles = new Set(['rakefile.rb', 'gems.rb', 'guardfile.rb', 'dangerfile.rb'])
const benchmarks = new Set(['benchmark', 'benchmarks', 'bench'])

export function isSpecFile(path: string): boolean {
  return path.endsWith('_spec.rb')
}

/** A file that Minitest or Test::Unit loads by its name. */
export function isTestFile(path: string): boolean {
  return /^test_.*\.rb$|_test\.rb$/.test(baseName(path)) && !/^(?:test_helper|helper_test)\.rb$/.test(baseName(path))
}

/**
 * Below `lib` and `app` a folder called `test` or `spec` is a library that a gem ships, and so is `test_case.rb`; only
 * names that a runner collects count there. `features` at the root is Cucumber's, steps and data too.
 */
export function rubyRole(path: string): FileRole | undefined {
  if (isDocumentation(path)) return undefined
  const folders = path.toLowerCase().split('/').slice(0, -1)
  if (folders[0] === 'features') return 'test'
  if (!path.endsWith('.rb')) return undefined
  if (folders.includes('vendor')) return 'other'
  const name = baseName(path)
  const shipped = folders.findIndex((part) => part === 'lib' || part === 'app')
  const tested = folders.findIndex((part) => testFolders.has(part))
  if (tested >= 0 && (shipped < 0 || tested < shipped)) return 'test'
  if (shipped >= 0 ? /(?:_spec|_test)\.rb$/.test(name) : testName.test(name)) return 'test'
  if (folders.length === 0 && buildFiles.has(path.toLowerCase())) return 'other'
  return benchmarks.has(folders[0] ?? '') ? 'other' : 'source'
}
