import type { FileRole } from '@r2e/spec'
import { baseName, isDocumentation } from '../path.ts'

const sourceFile = /\.(java|kt|groovy|scala)$/
/** Class names that surefire and Gradle's users give to tests; of integration tests that failsafe runs. */
const unitTest = /^(?:Test[A-Z0-9].*|.*(?:Test|Tests|TestCase|Spec))\.(java|kt|groovy|scala)$/
const integrationTest = /^(?:IT[A-Z0-9].*|.*(?:IT|ITCase))\.(java|kt|groovy|scala)$/
const testFolders = new Set(['test', 'tests', 'testing', 'e2e'])

/** `src/test`, `src/integrationTest`, `src/jvmTest`, `src/it`, `src/testFixtures`: a source set of tests. */
const testSourceSet = /(?:^|\/)src\/(?:test|it|testFixtures|[a-z]\w*Test)\//

export function isUnitTest(path: string): boolean {
  return unitTest.test(baseName(path)) && !integrationTest.test(baseName(path)) && !isMain(path)
}

export function isIntegrationTest(path: string): boolean {
  return integrationTest.test(baseName(path)) && !isMain(path)
}

function isMain(path: string): boolean {
  return /(?:^|\/)src\/main\//.test(path)
}

/** What lies in a source set follows it, resources too: a fix may be a line of a properties file. */
export function jvmRole(path: string): FileRole | undefined {
  if (isDocumentation(path)) return undefined
  if (testSourceSet.test(path)) return 'test'
  if (isMain(path)) return isBuildLogic(path) ? 'other' : 'source'
  if (!sourceFile.test(path)) return undefined
  if (isBuildLogic(path)) return 'other'
  const folders = path.toLowerCase().split('/').slice(0, -1)
  if (folders.some((part) => testFolders.has(part))) return 'test'
  return isUnitTest(path) || isIntegrationTest(path) ? 'test' : 'source'
}

function isBuildLogic(path: string): boolean {
  return /^(?:buildSrc|build-logic)\//.test(path)
}
