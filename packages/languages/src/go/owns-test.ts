import type { HiddenSource } from '@r2e/spec'
import { folderOf } from '../path.ts'
import { isTestFile } from './roles.ts'
import { goTestCases } from './test-cases.ts'

/**
 * Whether `package::TestX/sub` can come from one of these files: the package ends with the file's folder, and the file
 * declares TestX, or (suites) a method of the name of a level below it.
 */
export function goOwnsTest(files: readonly HiddenSource[], id: string): boolean {
  const at = id.indexOf('::')
  if (at < 0) return false
  const levels = id.slice(at + 2).split('/')
  const inPackage = files.filter(({ path }) => isTestFile(path) && isFolderOf(id.slice(0, at), folderOf(path)))
  return inPackage.some((file) => levels.slice(0, 2).some((name) => caseNames(file).has(name)))
}

/** Asked once per id of a suite: the names of a file are read once. */
const known = new WeakMap<HiddenSource, ReadonlySet<string>>()

function caseNames(file: HiddenSource): ReadonlySet<string> {
  const names = known.get(file) ?? new Set(goTestCases(file.text).map(({ name }) => name))
  known.set(file, names)
  return names
}

function isFolderOf(packagePath: string, folder: string): boolean {
  return folder === '' || packagePath === folder || packagePath.endsWith(`/${folder}`)
}
