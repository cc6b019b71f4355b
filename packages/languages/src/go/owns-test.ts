import type { HiddenSource, Recipe } from '@r2e/spec'
import { folderOf } from '../path.ts'
import { readOnce } from '../read-once.ts'
import { type GoModule, moduleOf, recipeModules } from './modules.ts'
import { isTestFile } from './roles.ts'
import { goTestCases } from './test-cases.ts'

/**
 * Whether `package::TestX/sub` can come from one of these files: the package is the file's, and the file declares TestX,
 * or (suites) a method of the name of a level below it.
 */
export function goOwnsTest(files: readonly HiddenSource[], id: string, recipe?: Recipe): boolean {
  const at = id.indexOf('::')
  if (at < 0) return false
  const levels = id.slice(at + 2).split('/')
  const modules = recipe ? modulesOf(recipe) : []
  const inPackage = files.filter(({ path }) => isTestFile(path) && isPackageOf(id.slice(0, at), path, modules))
  return inPackage.some((file) => levels.slice(0, 2).some((name) => caseNames(file).has(name)))
}

const caseNames = readOnce((file: HiddenSource) => new Set(goTestCases(file.text).map(({ name }) => name)))
const modulesOf = readOnce(recipeModules)

/** By the module that holds the file; where none is known, by the end of the package. */
function isPackageOf(name: string, path: string, modules: readonly GoModule[]): boolean {
  const folder = folderOf(path)
  const module = moduleOf(modules, path)
  if (!module?.path) return folder === '' || name === folder || name.endsWith(`/${folder}`)
  const below = module.folder === '' ? folder : folder.slice(module.folder.length + 1)
  return name === (below === '' ? module.path : `${module.path}/${below}`)
}
