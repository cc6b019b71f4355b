import type { Manifests } from '../manifests.ts'
import { joinPath } from '../path.ts'
import { parseToml, stringAt, stringsAt, type TomlTable, tableAt, valueAt } from '../toml.ts'
import { type Facts, mergeFacts, noFacts, testGroups } from './facts.ts'
import { parseIni } from './ini.ts'
import { nearbyRequirements } from './nearby-requirements.ts'
import { noxRequirements } from './nox.ts'
import { pipfileFacts } from './pipfile.ts'
import { pyprojectFacts } from './pyproject.ts'
import type { Requirement } from './requirement.ts'
import { setupCfgFacts } from './setup-cfg.ts'
import { setupPyFacts } from './setup-py.ts'
import { toxFactorRequirements, toxRequirements, toxTableRequirements } from './tox.ts'

/** Everything that the manifests of one project say, as they say it. */
export interface Project {
  /** `` at the root. */
  readonly folder: string
  readonly facts: Facts
  readonly runtime: readonly Requirement[]
  readonly test: readonly Requirement[]
  readonly constraints: readonly Requirement[]
  /** Names that any manifest lists, if only for an extra or for one environment of tox. */
  readonly mentioned: ReadonlySet<string>
  /** Whether pip can install the project itself, and by which back end. */
  readonly backend: 'setuptools' | 'other' | undefined
  /** Whether a pyproject.toml describes the project, not setup.py alone. */
  readonly modern: boolean
  /** Patterns of the folders of its members. */
  readonly workspace: { readonly members: readonly string[]; readonly exclude: readonly string[] } | undefined
}

export async function readProject(manifests: Manifests, folder: string): Promise<Project> {
  const at = (name: string) => joinPath(folder, name)!
  const toml = parseToml((await manifests.read(at('pyproject.toml'))) ?? '') ?? {}
  const setupCfg = parseIni((await manifests.read(at('setup.cfg'))) ?? '')
  const setupPy = await manifests.read(at('setup.py'))
  const pipfile = parseToml((await manifests.read(at('Pipfile'))) ?? '') ?? {}
  const facts = mergeFacts([
    pyprojectFacts(toml),
    setupCfgFacts(setupCfg),
    setupPy === undefined ? noFacts : setupPyFacts(setupPy),
    pipfileFacts(pipfile),
  ])
  const files = await nearbyRequirements(manifests, folder)
  const ini = parseIni((await manifests.read(at('tox.ini'))) ?? '')
  const runtime = [...facts.runtime, ...files.runtime]
  const test = [
    ...testGroups(facts.groups),
    ...files.test,
    ...(await toxRequirements(manifests, at('tox.ini'), ini)),
    ...(await toxTableRequirements(manifests, at('pyproject.toml'), toml)),
    ...(await noxRequirements(manifests, at('noxfile.py'))),
  ]
  const all = [...runtime, ...test, ...[...facts.groups.values()].flat(), ...toxFactorRequirements(ini)]
  return {
    folder,
    facts,
    runtime,
    test,
    constraints: files.constraints,
    mentioned: new Set([...all.map(({ name }) => name), ...facts.local]),
    backend: backendOf(toml, setupPy !== undefined || setupCfg.has('metadata')),
    modern: Object.keys(tableAt(toml, 'project')).length > 0,
    workspace: workspaceOf(toml),
  }
}

/** A pyproject.toml without a build system or project table is only configuration of tools. */
function backendOf(toml: TomlTable, legacy: boolean): Project['backend'] {
  if (isVirtual(toml)) return undefined
  const backend = stringAt(toml, 'build-system', 'build-backend')
  if (backend !== undefined) return backend.startsWith('setuptools') ? 'setuptools' : 'other'
  return legacy || hasKeys(toml, 'project') || hasKeys(toml, 'build-system') ? 'setuptools' : undefined
}

/** A list of dependencies that no tool takes for a package, as the root of a workspace mostly is. */
function isVirtual(toml: TomlTable): boolean {
  const packaged = valueAt(toml, 'tool', 'uv', 'package') ?? valueAt(toml, 'tool', 'poetry', 'package-mode')
  return packaged === false || (packaged !== true && workspaceOf(toml) !== undefined && !hasKeys(toml, 'build-system'))
}

function workspaceOf(toml: TomlTable): Project['workspace'] {
  const tool = ['uv', 'rye'].find((name) => hasKeys(toml, 'tool', name, 'workspace'))
  if (tool === undefined) return undefined
  const list = (key: string) => stringsAt(toml, 'tool', tool, 'workspace', key)
  return { members: list('members'), exclude: list('exclude') }
}

function hasKeys(toml: TomlTable, ...keys: readonly string[]): boolean {
  return Object.keys(tableAt(toml, ...keys)).length > 0
}
