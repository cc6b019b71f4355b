import type { Manifests } from '../manifests.ts'
import { baseName, folderOf, joinPath } from '../path.ts'
import type { Requirement } from './requirement.ts'
import { readRequirementsFile } from './requirements-file.ts'

export interface NearbyRequirements {
  readonly runtime: readonly Requirement[]
  readonly test: readonly Requirement[]
  readonly constraints: readonly Requirement[]
}

const runtimeFile = /^(requirements|requirements[-_.](base|main|common|core|prod|production|default))\.txt$/
const runtimeInFolder = /^(base|main|common|core|default|requirements|prod|production|install|runtime)\.txt$/
const testFile = /^((requirements|reqs?)[-_.])?(tests?|testing|unit-?tests?)([-_.]requirements)?\.(txt|in)$/
const testInTests = /^(requirements|reqs?)\.(txt|in)$/
const developerFile = /^((requirements|reqs?)[-_.])?(dev|develop|development)([-_.]requirements)?\.(txt|in)$/

/**
 * `requirements*.txt` beside the manifest, and files in `requirements/` and in the folder of the tests; of `x.in` and
 * `x.txt` the compiled one.
 */
export async function nearbyRequirements(manifests: Manifests, folder: string): Promise<NearbyRequirements> {
  const within = (...names: string[]) => {
    const folders = names.map((name) => joinPath(folder, name)!)
    return manifests.paths.filter((path) => folders.includes(folderOf(path)))
  }
  const beside = within('').filter(saysRequirements)
  const inFolder = within('requirements', 'reqs')
  const inTests = within('tests', 'test').filter(saysRequirements)
  const tests = compiled([
    ...named(beside, testFile),
    ...named(inFolder, testFile),
    ...named(inTests, testFile, testInTests),
  ])
  const chosen = tests.length > 0 ? tests : compiled(named([...beside, ...inFolder, ...inTests], developerFile))
  const read = async (paths: readonly string[]) =>
    Promise.all(paths.map((path) => readRequirementsFile(manifests, path)))
  const runtime = await read([...named(beside, runtimeFile), ...named(inFolder, runtimeInFolder)])
  const test = await read(chosen)
  return {
    runtime: runtime.flatMap((file) => file.requirements),
    test: test.flatMap((file) => file.requirements),
    constraints: [...runtime, ...test].flatMap((file) => file.constraints),
  }
}

function named(paths: readonly string[], ...patterns: readonly RegExp[]): string[] {
  return paths.filter((path) => patterns.some((pattern) => pattern.test(baseName(path))))
}

/** Outside a folder of requirements a bare `test.txt` says nothing. */
function saysRequirements(path: string): boolean {
  return /req/.test(baseName(path))
}

function compiled(paths: readonly string[]): string[] {
  return paths.filter((path) => !path.endsWith('.in') || !paths.includes(path.replace(/\.in$/, '.txt')))
}
