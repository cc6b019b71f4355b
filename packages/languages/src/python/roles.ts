import type { FileRole } from '@r2e/spec'
import { baseName, isDocumentation } from '../path.ts'

const testModule = /^(test_.*|.*_test|conftest|tests?)\.py$/i
const testFolders = new Set(['test', 'tests', 'spec', 'specs', 'e2e', '__tests__'])
const buildFiles = new Set(['setup.py', 'noxfile.py', 'fabfile.py', 'dodo.py', 'tasks.py'])
const sourceFile = /\.(py|pyi|pyx|pxd|pxi)$/i

/** A module that pytest or unittest collects by its name. */
export function isTestModule(path: string): boolean {
  const name = baseName(path)
  return testModule.test(name) && name.toLowerCase() !== 'conftest.py'
}

/**
 * `testing` is a test folder only at the root: below it, it is mostly a package of test tools that a project ships.
 */
export function pythonRole(path: string): FileRole | undefined {
  if (!sourceFile.test(path) || isDocumentation(path)) return undefined
  const folders = path.toLowerCase().split('/').slice(0, -1)
  if (testModule.test(baseName(path)) || folders[0] === 'testing' || folders.some((part) => testFolders.has(part)))
    return 'test'
  return folders.length === 0 && buildFiles.has(path.toLowerCase()) ? 'other' : 'source'
}
