import { stringAt, stringsAt, type TomlTable, tableAt, valueAt } from '../toml.ts'
import { normalName, parseRequirement, type Requirement } from './requirement.ts'

export function poetryPython(poetry: TomlTable): string | undefined {
  const written = stringAt(poetry, 'dependencies', 'python')
  return written?.split(alternative).map(specifierOf).join('||')
}

export function poetryRuntime(poetry: TomlTable): Requirement[] {
  return dependencies(tableAt(poetry, 'dependencies'))
}

export function poetryGroups(poetry: TomlTable): [string, Requirement[]][] {
  const groups = tableAt(poetry, 'group')
  return [
    ...Object.keys(groups).map((name): [string, Requirement[]] => [
      name,
      dependencies(tableAt(groups, name, 'dependencies')),
    ]),
    ['dev-dependencies', dependencies(tableAt(poetry, 'dev-dependencies'))],
  ]
}

export function poetryLocal(poetry: TomlTable): string[] {
  const tables = [tableAt(poetry, 'dependencies'), tableAt(poetry, 'dev-dependencies')]
  const groups = tableAt(poetry, 'group')
  for (const name of Object.keys(groups)) tables.push(tableAt(groups, name, 'dependencies'))
  return tables.flatMap((table) =>
    Object.keys(table)
      .filter((name) => valueAt(table, name, 'path') !== undefined)
      .map(normalName),
  )
}

/** Name → version text, table, or a list of tables with markers. Paths and optional ones are left out. */
export function dependencies(table: TomlTable): Requirement[] {
  return Object.keys(table)
    .filter((name) => name !== 'python')
    .flatMap((name) => {
      const value = table[name]
      return (Array.isArray(value) ? value : [value]).map((item) => dependency(name, item))
    })
    .filter((requirement) => requirement !== undefined)
}

function dependency(name: string, value: unknown): Requirement | undefined {
  if (typeof value === 'string') return parseRequirement(`${name}${poetrySpecifier(value)}`)
  if (valueAt(value, 'path') !== undefined || valueAt(value, 'optional') === true) return undefined
  const extras = stringsAt(value, 'extras')
  const from = stringAt(value, 'git') ?? stringAt(value, 'url')
  const marker = stringAt(value, 'markers')
  const head = `${name}${extras.length > 0 ? `[${extras.join(',')}]` : ''}`
  const specifier =
    from === undefined ? poetrySpecifier(stringAt(value, 'version') ?? '*') : ` @ ${addressOf(value, from)}`
  return parseRequirement(`${head}${specifier}${marker === undefined ? '' : ` ; ${marker}`}`)
}

function addressOf(value: unknown, from: string): string {
  if (stringAt(value, 'git') === undefined) return from
  const ref = stringAt(value, 'rev') ?? stringAt(value, 'tag') ?? stringAt(value, 'branch')
  return `git+${from}${ref === undefined ? '' : `@${ref}`}`
}

const alternative = /\|\|?/

/** PEP 440 has no `||`: of several alternatives the last, which is mostly the newest. */
export function poetrySpecifier(written: string): string {
  return specifierOf(written.split(alternative).at(-1)!)
}

/** `^1.2` and `~1.2` as PEP 440 writes them; a bare version is exact; `*` is any. */
function specifierOf(written: string): string {
  return written
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && part !== '*')
    .map(clause)
    .join(',')
}

function clause(part: string): string {
  const match = /^([~^])\s*(\d+(?:\.\d+)*)(.*)$/.exec(part)
  if (!match) return /^\d/.test(part) ? `==${part}` : part.replace(/\s+/g, '')
  const numbers = match[2]!.split('.').map(Number)
  const firstNonZero = numbers.findIndex((number) => number > 0)
  const caret = firstNonZero < 0 ? numbers.length - 1 : firstNonZero
  const at = match[1] === '~' ? Math.min(1, numbers.length - 1) : caret
  const upper = numbers.slice(0, at + 1).map((number, index) => (index === at ? number + 1 : number))
  return `>=${match[2]}${match[3]},<${upper.join('.')}`
}
