import type { FileRole } from '@r2e/spec'
import { baseName, isDocumentation } from '../path.ts'

const testName = /Tests?\.php$/
const buildFile = /^(?:\.?php-cs-fixer(?:\.dist)?|rector|ecs|scoper\.inc|castor|robo\w*|phpstan\S*|psalm\S*|box)\.php$/i
const sourceFolders = new Set(['src', 'lib', 'app', 'source'])

/** A file that PHPUnit collects by its name. */
export function isTestFile(path: string): boolean {
  return testName.test(baseName(path))
}

/**
 * `tests` is a test folder anywhere; `test` and `spec` only outside `src` and the like, where they are packages that a
 * library ships. `features` at the root is Behat's.
 */
export function phpRole(path: string): FileRole | undefined {
  if (isDocumentation(path)) return undefined
  const folders = path.toLowerCase().split('/').slice(0, -1)
  if (folders.includes('vendor')) return 'other'
  if (folders[0] === 'features' || path.endsWith('.phpt')) return 'test'
  if (!path.endsWith('.php')) return undefined
  if (isTestFile(path) || folders.some((part) => part === 'tests' || part === 'e2e')) return 'test'
  const shipped = folders.findIndex((part) => sourceFolders.has(part))
  const tested = folders.findIndex((part) => part === 'test' || part === 'spec')
  if (tested >= 0 && (shipped < 0 || tested < shipped)) return 'test'
  return folders.length === 0 && buildFile.test(path) ? 'other' : 'source'
}
