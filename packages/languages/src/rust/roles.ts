import type { FileRole } from '@r2e/spec'
import { baseName, isDocumentation } from '../path.ts'

const testFolders = new Set(['test', 'tests', 'testdata', 'test_data', 'test-data', 'fixtures', 'snapshots'])
/** A module of its own file that only tests compile: `#[cfg(test)] mod tests;`. */
const testModule = /^(?:tests?|.*_tests?)\.rs$/
const snapshot = /\.snap(?:\.new)?$/

/**
 * Benchmarks, examples of a crate and build scripts are neither: they must follow the source and are no answer.
 */
export function rustRole(path: string): FileRole | undefined {
  if (isDocumentation(path)) return undefined
  const folders = path.split('/').slice(0, -1)
  const name = baseName(path)
  if (folders.includes('target') || folders.includes('vendor')) return path.endsWith('.rs') ? 'other' : undefined
  if (snapshot.test(name)) return 'test'
  const isRust = path.endsWith('.rs')
  const inTests = folders.some((folder) => folder === 'tests' || folder === 'test')
  if (inTests || (isRust && folders.some((folder) => testFolders.has(folder)))) return 'test'
  if (!isRust) return undefined
  if (testModule.test(name) && !folders.includes('bin')) return 'test'
  return name === 'build.rs' || folders.includes('benches') || folders.includes('examples') ? 'other' : 'source'
}
