import type { Manifests } from '../manifests.ts'
import { folderOf, isDocumentation } from '../path.ts'
import type { PytestConfig } from './pytest-config.ts'
import { isTestModule } from './roles.ts'

const testFolder = /^(tests?|testing|specs?)$/i
const foreign = /(^|\/)(node_modules|vendor|third_party|\.[^/]+)\//
const most = 40

export function testModules(paths: readonly string[]): string[] {
  return paths.filter((path) => isTestModule(path) && !foreign.test(path) && !isDocumentation(path))
}

/**
 * What a run of the whole suite is given: the configured `testpaths` that exist, else the topmost folders that hold
 * tests. Documentation and examples stay out: one broken conftest there would end every run.
 */
export function pytestSuite(manifests: Manifests, config: PytestConfig | undefined): string[] {
  const configured = (config?.testpaths ?? []).map((path) => path.replace(/^\.\//, '').replace(/\/+$/, ''))
  const existing = configured.filter((path) =>
    manifests.paths.some((file) => file === path || file.startsWith(`${path}/`)),
  )
  if (existing.length > 0 && existing.length === configured.length) return existing
  const folders = topmost(testModules(manifests.paths).map(suiteFolder))
  return folders.length <= most ? folders : topmost(folders.map((folder) => folder.split('/')[0]!))
}

/** A test folder above the module, else its own folder; a module at the root stands for itself. */
function suiteFolder(path: string): string {
  const parts = folderOf(path).split('/')
  const at = parts.findIndex((part) => testFolder.test(part))
  if (at >= 0) return parts.slice(0, at + 1).join('/')
  return folderOf(path) === '' ? path : folderOf(path)
}

/** Without what lies below another one. */
function topmost(folders: readonly string[]): string[] {
  const all = new Set(folders)
  const isBelow = (folder: string) => {
    const parts = folder.split('/')
    return parts.some((_, end) => end > 0 && all.has(parts.slice(0, end).join('/')))
  }
  return [...all].filter((folder) => !isBelow(folder)).sort()
}
