import type { FileRole } from '@r2e/spec'
import { baseName, isDocumentation } from '../path.ts'

const testFolders = new Set(['test', 'tests', 'testing', 'e2e'])
/** `Shop.Tests`, `Shop.UnitTests`, `Shop.Test`: a project of tests by its folder. */
const testProject = /(?:^|[._-])(?:(?:Unit|Integration|Functional|Acceptance|Api|Spec)?Tests?|Specs)$/
const testFile = /(?:Tests?|TestCase|Specs?)\.cs$/

/** All that lies in a project of tests follows it, its project file too. */
export function csharpRole(path: string): FileRole | undefined {
  if (isDocumentation(path)) return undefined
  const folders = path.split('/').slice(0, -1)
  if (folders.some((part) => testFolders.has(part.toLowerCase()) || testProject.test(part))) return 'test'
  if (!/\.(cs|razor|cshtml)$/.test(path)) return undefined
  return testFile.test(baseName(path)) ? 'test' : 'source'
}
