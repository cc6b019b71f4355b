import { stringAt, stringsAt, type TomlTable, tableAt, valueAt } from '../toml.ts'
import { classifierVersions, type Facts, mergeGroups } from './facts.ts'
import { poetryGroups, poetryLocal, poetryPython, poetryRuntime } from './poetry.ts'
import { normalName, parseRequirements, type Requirement } from './requirement.ts'

/** What pyproject.toml declares: PEP 621, PEP 735 groups, and the tables of poetry, pdm, uv and hatch. */
export function pyprojectFacts(toml: TomlTable): Facts {
  const poetry = tableAt(toml, 'tool', 'poetry')
  const name = stringAt(toml, 'project', 'name') ?? stringAt(poetry, 'name')
  return {
    name: name === undefined ? undefined : normalName(name),
    python: stringAt(toml, 'project', 'requires-python') ?? poetryPython(poetry),
    classifiers: classifierVersions([
      ...stringsAt(toml, 'project', 'classifiers'),
      ...stringsAt(poetry, 'classifiers'),
    ]),
    runtime: [...parseRequirements(stringsAt(toml, 'project', 'dependencies')), ...poetryRuntime(poetry)],
    build: parseRequirements(stringsAt(toml, 'build-system', 'requires')),
    groups: mergeGroups([...extras(toml), ...dependencyGroups(toml), ...toolGroups(toml), ...poetryGroups(poetry)]),
    local: [...poetryLocal(poetry), ...uvLocal(toml)],
  }
}

function extras(toml: TomlTable): [string, Requirement[]][] {
  const table = tableAt(toml, 'project', 'optional-dependencies')
  return Object.keys(table).map((name) => [name, parseRequirements(stringsAt(table, name))])
}

/** PEP 735: groups are no extras; one may include others. */
function dependencyGroups(toml: TomlTable): [string, Requirement[]][] {
  const table = tableAt(toml, 'dependency-groups')
  const byName = new Map(Object.keys(table).map((name) => [normalName(name), name]))
  const read = (name: string, above: readonly string[]): Requirement[] => {
    const written = byName.get(normalName(name))
    const items = written === undefined || above.includes(written) ? [] : valueAt(table, written)
    if (!Array.isArray(items)) return []
    return items.flatMap((item) => {
      if (typeof item === 'string') return parseRequirements([item])
      const included = stringAt(item, 'include-group')
      return included === undefined ? [] : read(included, [...above, written!])
    })
  }
  return Object.keys(table).map((name) => [name, read(name, [])])
}

function toolGroups(toml: TomlTable): [string, Requirement[]][] {
  const pdm = tableAt(toml, 'tool', 'pdm', 'dev-dependencies')
  const hatch = tableAt(toml, 'tool', 'hatch', 'envs')
  const hatchNames = ['hatch-test', 'test', 'tests', 'default'].filter((name) => Object.hasOwn(hatch, name))
  return [
    ...Object.keys(pdm).map((name): [string, Requirement[]] => [name, parseRequirements(stringsAt(pdm, name))]),
    ['dev-dependencies', parseRequirements(stringsAt(toml, 'tool', 'uv', 'dev-dependencies'))],
    ...hatchNames.map((name): [string, Requirement[]] => [
      name === 'default' ? 'dev' : 'test',
      parseRequirements([...stringsAt(hatch, name, 'dependencies'), ...stringsAt(hatch, name, 'extra-dependencies')]),
    ]),
  ]
}

function uvLocal(toml: TomlTable): string[] {
  const sources = tableAt(toml, 'tool', 'uv', 'sources')
  return Object.keys(sources)
    .filter((name) => valueAt(sources, name, 'path') !== undefined || valueAt(sources, name, 'workspace') === true)
    .map(normalName)
}
