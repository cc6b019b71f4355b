import { joinPath } from '../path.ts'
import { isPattern, pathPattern } from '../path-pattern.ts'
import { isTestModule } from './roles.ts'

/**
 * Files for the folders and patterns that a script names: whether `node --test` takes the one or the other depends on its
 * version. What matches nothing, as a build that is still to come, stays as it is written.
 */
export function testPaths(paths: readonly string[], files: readonly string[]): string[] {
  return [...new Set(paths.flatMap((path) => filesOf(path, files)))]
}

function filesOf(written: string, files: readonly string[]): readonly string[] {
  const path = joinPath('', written)
  if (path === undefined) return [written]
  if (files.includes(path)) return [path]
  const below = files.filter((file) => path === '' || file.startsWith(`${path}/`))
  const found = below.length > 0 ? testsOf(below) : isPattern(path) ? files.filter(pathPattern(path)) : []
  return found.length > 0 ? found : [written]
}

/** Those that are tests by name or place, else all code; TypeScript where there is nothing else. */
function testsOf(files: readonly string[]): readonly string[] {
  const code = files.filter((file) => /(?<!\.d)\.[cm]?[jt]s$/i.test(file))
  const tests = code.filter(isTestModule)
  const chosen = tests.length > 0 ? tests : code
  const plain = chosen.filter((file) => /\.[cm]?js$/i.test(file))
  return plain.length > 0 ? plain : chosen
}

/** Where compilers and bundlers put what they make. */
const built = /^(?:build|built|cjs|compiled|dist|es|esm|lib|out|output|target)(?:\/|$)/

/**
 * Whether a filter may find anything: a file of the tree, one that a build is still to make, or what only the runner can
 * tell. What finds nothing is the value of an option that is not known here.
 */
export function mayMatch(filter: string, folder: string, files: readonly string[]): boolean {
  const plain = filter.replace(/^\.\//, '').toLowerCase()
  if (/[^\w./@-]|^\.\.|^\//.test(plain) || built.test(plain)) return true
  return files.some((file) => `${folder}/${file}`.toLowerCase().includes(plain))
}
