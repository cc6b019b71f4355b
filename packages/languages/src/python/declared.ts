import type { Manifests } from '../manifests.ts'
import { baseName, folderOf, joinPath } from '../path.ts'
import { parseToml, stringAt, type TomlTable, tableAt } from '../toml.ts'
import { expandOwnExtras, type Facts, mergeFacts, noFacts, testGroups } from './facts.ts'
import { parseIni } from './ini.ts'
import { pipfileFacts } from './pipfile.ts'
import { pyprojectFacts } from './pyproject.ts'
import { type Requirement, uniqueRequirements } from './requirement.ts'
import { readRequirementsFile } from './requirements-file.ts'
import { setupCfgFacts } from './setup-cfg.ts'
import { setupPyFacts } from './setup-py.ts'
import { toxFactorRequirements, toxRequirements, toxTableRequirements } from './tox.ts'

/** Everything that the manifests of one project say, merged. */
export interface Declared {
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
}

export async function readDeclared(manifests: Manifests, folder: string): Promise<Declared> {
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
  const files = await requirementsFiles(manifests, folder)
  const ini = parseIni((await manifests.read(at('tox.ini'))) ?? '')
  const tox = [
    ...(await toxRequirements(manifests, at('tox.ini'), ini)),
    ...(await toxTableRequirements(manifests, at('pyproject.toml'), toml)),
  ]
  const own = (all: readonly Requirement[]) =>
    uniqueRequirements(expandOwnExtras(all, facts)).filter(({ name }) => !facts.local.includes(name))
  const runtime = own([...facts.runtime, ...files.runtime])
  const test = own([...testGroups(facts.groups), ...files.test, ...tox])
  const mentioned = [...runtime, ...test, ...[...facts.groups.values()].flat(), ...toxFactorRequirements(ini)]
  return {
    facts,
    runtime,
    test,
    mentioned: new Set(mentioned.map(({ name }) => name)),
    constraints: own(files.constraints),
    backend: backendOf(toml, setupPy !== undefined || setupCfg.has('metadata')),
    modern: Object.keys(tableAt(toml, 'project')).length > 0,
  }
}

/** A pyproject.toml without a build system or project table is only configuration of tools. */
function backendOf(toml: TomlTable, legacy: boolean): Declared['backend'] {
  const backend = stringAt(toml, 'build-system', 'build-backend')
  if (backend !== undefined) return backend.startsWith('setuptools') ? 'setuptools' : 'other'
  const packaged =
    Object.keys(tableAt(toml, 'project')).length > 0 || Object.keys(tableAt(toml, 'build-system')).length > 0
  return legacy || packaged ? 'setuptools' : undefined
}

const runtimeFile = /^(requirements|requirements[-_.](base|main|common|core|prod|production|default))\.txt$/
const runtimeInFolder = /^(base|main|common|core|default|requirements|prod|production|install|runtime)\.txt$/
const testFile = /^((requirements|reqs?)[-_.])?(tests?|testing|unit-?tests?)([-_.]requirements)?\.(txt|in)$/
const developerFile = /^((requirements|reqs?)[-_.])?(dev|develop|development)([-_.]requirements)?\.(txt|in)$/

interface RequirementsFiles {
  readonly runtime: readonly Requirement[]
  readonly test: readonly Requirement[]
  readonly constraints: readonly Requirement[]
}

/** `requirements*.txt` beside the manifest and files in `requirements/`; of `x.in` and `x.txt` the compiled one. */
async function requirementsFiles(manifests: Manifests, folder: string): Promise<RequirementsFiles> {
  const inFolder = ['requirements', 'reqs'].map((name) => joinPath(folder, name)!)
  const near = manifests.paths.filter((path) => folderOf(path) === folder || inFolder.includes(folderOf(path)))
  const named = (root: RegExp, nested: RegExp) =>
    near.filter((path) => (folderOf(path) === folder ? rootName(path, root) : nested.test(baseName(path))))
  const tests = compiled(named(testFile, testFile))
  const chosen = tests.length > 0 ? tests : compiled(named(developerFile, developerFile))
  const read = async (paths: readonly string[]) =>
    Promise.all(paths.map((path) => readRequirementsFile(manifests, path)))
  const runtime = await read(named(runtimeFile, runtimeInFolder))
  const test = await read(chosen)
  return {
    runtime: runtime.flatMap((file) => file.requirements),
    test: test.flatMap((file) => file.requirements),
    constraints: [...runtime, ...test].flatMap((file) => file.constraints),
  }
}

/** At the root a bare `test.txt` says nothing; it must name requirements. */
function rootName(path: string, pattern: RegExp): boolean {
  const name = baseName(path)
  return pattern.test(name) && /req/.test(name)
}

function compiled(paths: readonly string[]): string[] {
  return paths.filter((path) => !path.endsWith('.in') || !paths.includes(path.replace(/\.in$/, '.txt')))
}
