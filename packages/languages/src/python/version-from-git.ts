import type { RecipeInput } from '@r2e/spec'
import type { Requirement } from './requirement.ts'

/** Variables by which a build back end takes a version when the history that would tell it is gone. */
const variables: Readonly<Record<string, readonly string[]>> = {
  'hatch-vcs': ['SETUPTOOLS_SCM_PRETEND_VERSION'],
  'setuptools-scm': ['SETUPTOOLS_SCM_PRETEND_VERSION'],
  'flit-scm': ['SETUPTOOLS_SCM_PRETEND_VERSION'],
  'vcs-versioning': ['SETUPTOOLS_SCM_PRETEND_VERSION'],
  pbr: ['PBR_VERSION'],
  'pdm-backend': ['PDM_BUILD_SCM_VERSION'],
  'poetry-dynamic-versioning': ['POETRY_DYNAMIC_VERSIONING_BYPASS'],
  'uv-dynamic-versioning': ['UV_DYNAMIC_VERSIONING_BYPASS'],
}

/** The environment of a version-from-git build: the newest tag at or before the commit, else 0.0.0. */
export async function versionEnvironment(
  build: readonly Requirement[],
  input: RecipeInput,
): Promise<Readonly<Record<string, string>>> {
  const names = new Set(build.flatMap(({ name }) => (Object.hasOwn(variables, name) ? variables[name]! : [])))
  if (names.size === 0) return {}
  const tag = await input.repository.newestTag(input.tree.commit)
  const version = /\d+(?:\.\d+)+(?:(?:a|b|rc|\.post|\.dev)\d+)?/.exec(tag ?? '')?.[0] ?? '0.0.0'
  return Object.fromEntries([...names].sort().map((name) => [name, version]))
}
