import { stringAt, type TomlTable, tableAt } from '../toml.ts'
import type { Facts } from './facts.ts'
import { dependencies } from './poetry.ts'

/** A Pipfile's tables have the shape of poetry's, but a bare version carries its own operator. */
export function pipfileFacts(toml: TomlTable): Facts {
  const version = stringAt(toml, 'requires', 'python_version')
  return {
    python: version === undefined ? undefined : `==${version}.*`,
    runtime: dependencies(tableAt(toml, 'packages')),
    build: [],
    groups: new Map([['dev', dependencies(tableAt(toml, 'dev-packages'))]]),
    local: [],
  }
}
