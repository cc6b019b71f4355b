import { folderOf, isDocumentation } from '../path.ts'
import { isSpecFile, isTestFile } from './roles.ts'

const foreign = /(^|\/)(node_modules|vendor|third_party|fixtures?|\.[^/]+)\//

/** Spec files, in the order of their paths. */
export function specFiles(paths: readonly string[]): string[] {
  return paths.filter((path) => isSpecFile(path) && isCandidate(path))
}

/** Files of test methods; outside `test` folders only by the name that ends with `_test`. */
export function testFiles(paths: readonly string[]): string[] {
  const inTests = (path: string) => /(^|\/)tests?\//.test(path)
  return paths.filter((path) => isTestFile(path) && isCandidate(path) && (inTests(path) || path.endsWith('_test.rb')))
}

function isCandidate(path: string): boolean {
  return !foreign.test(path) && !isDocumentation(path)
}

/** The folders that hold all of these files and no other of them: up to the one called `spec`. */
export function specFolders(files: readonly string[]): string[] {
  const folders = files.map((path) => {
    const parts = folderOf(path).split('/')
    const at = parts.indexOf('spec')
    return at < 0 ? path : parts.slice(0, at + 1).join('/')
  })
  return [...new Set(folders)].sort()
}
