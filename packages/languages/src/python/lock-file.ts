import type { Manifests } from '../manifests.ts'
import { joinPath } from '../path.ts'
import { parseToml, stringAt, stringsAt, tableAt, tablesAt, valueAt } from '../toml.ts'
import { normalName, parseRequirement, type Requirement } from './requirement.ts'

export interface LockedPackage {
  readonly name: string
  readonly version: string
  /** Markers under which this version holds; empty: always. */
  readonly markers: readonly string[]
  readonly dependencies: readonly string[]
}

export interface LockFile {
  readonly path: string
  readonly packages: readonly LockedPackage[]
}

const lockNames = ['uv.lock', 'poetry.lock', 'pdm.lock', 'Pipfile.lock']

/** The locks of these folders, and of the root. */
export async function readLockFiles(manifests: Manifests, folders: readonly string[]): Promise<LockFile[]> {
  const found: LockFile[] = []
  for (const folder of new Set([...folders, ''])) {
    const lock = await readLockFile(manifests, folder)
    if (lock) found.push(lock)
  }
  return found
}

async function readLockFile(manifests: Manifests, folder: string): Promise<LockFile | undefined> {
  for (const name of lockNames) {
    const path = joinPath(folder, name)!
    if (!manifests.has(path)) continue
    const text = (await manifests.read(path)) ?? ''
    const packages = name === 'Pipfile.lock' ? pipfilePackages(text) : tomlPackages(text)
    if (packages.length > 0) return { path, packages }
  }
  return undefined
}

/** The locked versions of everything these requirements reach, as constraints; where locks disagree, none. */
export function constraintsFor(locks: readonly LockFile[], requirements: readonly Requirement[]): Requirement[] {
  const pinned = locks.map((lock) => reachedIn(lock, requirements))
  const names = [...new Set(pinned.flatMap((pins) => [...pins.keys()]))].sort()
  return names.flatMap((name) => {
    const said = pinned.flatMap((pins) => (pins.has(name) ? [pins.get(name)!] : []))
    return new Set(said.map((pins) => JSON.stringify(pins))).size === 1 ? said[0]! : []
  })
}

function reachedIn(lock: LockFile, requirements: readonly Requirement[]): Map<string, Requirement[]> {
  const byName = Map.groupBy(lock.packages, (item) => item.name)
  const reached = new Set<string>()
  const queue = requirements.map((requirement) => requirement.name)
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (reached.has(name)) continue
    reached.add(name)
    for (const item of byName.get(name) ?? []) queue.push(...item.dependencies)
  }
  return new Map([...reached].filter((name) => byName.has(name)).map((name) => [name, constraints(byName.get(name)!)]))
}

/** Several versions of one name hold under markers; without markers none can be chosen. */
function constraints(versions: readonly LockedPackage[]): Requirement[] {
  if (versions.length > 1 && versions.some((item) => item.markers.length === 0)) return []
  return versions
    .flatMap((item) => (item.markers.length === 0 ? [''] : item.markers).map((marker) => ({ ...item, marker })))
    .map(({ name, version, marker }) => parseRequirement(`${name}==${version}${marker && ` ; ${marker}`}`))
    .filter((requirement) => requirement !== undefined)
}

function tomlPackages(text: string): LockedPackage[] {
  return tablesAt(parseToml(text), 'package')
    .filter((item) => isFromIndex(item))
    .map((item) => ({
      name: normalName(stringAt(item, 'name') ?? ''),
      version: stringAt(item, 'version') ?? '',
      markers: stringsAt(item, 'resolution-markers'),
      dependencies: dependencyNames(item),
    }))
    .filter((item) => item.name !== '' && item.version !== '')
}

/** uv: `source = { registry = … }`; poetry writes `[package.source]` for anything but the index; pdm: `path`, `git`. */
function isFromIndex(item: unknown): boolean {
  if (valueAt(item, 'path') !== undefined || valueAt(item, 'git') !== undefined) return false
  const source = tableAt(item, 'source')
  return Object.keys(source).length === 0 || 'registry' in source || source.type === 'legacy'
}

function dependencyNames(item: unknown): string[] {
  const tables = tablesAt(item, 'dependencies').map((entry) => stringAt(entry, 'name'))
  const optional = Object.values(tableAt(item, 'optional-dependencies')).flatMap((entries) =>
    tablesAt({ entries }, 'entries').map((entry) => stringAt(entry, 'name')),
  )
  const texts = stringsAt(item, 'dependencies').map((text) => parseRequirement(text)?.name)
  const keys = Object.keys(tableAt(item, 'dependencies'))
  return [...tables, ...optional, ...texts, ...keys].filter((name) => name !== undefined).map(normalName)
}

function pipfilePackages(text: string): LockedPackage[] {
  let root: unknown
  try {
    root = JSON.parse(text)
  } catch {
    return []
  }
  return ['default', 'develop'].flatMap((section) => {
    const table = tableAt(root, section)
    return Object.keys(table)
      .filter((name) => stringAt(table, name, 'version')?.startsWith('=='))
      .map((name) => ({
        name: normalName(name),
        version: stringAt(table, name, 'version')!.slice(2),
        markers: [],
        // A Pipfile.lock has no graph: everything is reached from everything.
        dependencies: Object.keys(table).map(normalName),
      }))
  })
}
