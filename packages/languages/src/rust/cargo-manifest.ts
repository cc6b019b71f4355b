import { parseToml, stringAt, type TomlTable, tableAt, tablesAt } from '../toml.ts'

/** What of a Cargo.toml decides how its tests are run. */
export interface CargoManifest {
  /** Of the package, if it has one. */
  readonly name: string | undefined
  /** `rust-version`, as `1.70`, the workspace's own default for its packages too. */
  readonly rustVersion: string | undefined
  /** Files of targets that are named by a path. */
  readonly targetPaths: readonly string[]
  /** Files of test programs by their names, where a path is given. */
  readonly testPaths: Readonly<Record<string, string>>
}

/** A manifest that is no TOML, as fixtures hold them, has nothing to say. */
export function readCargoManifest(text: string): CargoManifest | undefined {
  const manifest = parseToml(text)
  if (!manifest) return undefined
  const targets = ['bin', 'test', 'example', 'bench'].flatMap((kind) => tablesAt(manifest, kind))
  const paths = [tableAt(manifest, 'lib'), ...targets].map((target) => stringAt(target, 'path'))
  const version =
    stringAt(manifest, 'package', 'rust-version') ?? stringAt(manifest, 'workspace', 'package', 'rust-version')
  return {
    name: stringAt(manifest, 'package', 'name'),
    rustVersion: version && /^\d+\.\d+/.exec(version)?.[0],
    testPaths: Object.fromEntries(tablesAt(manifest, 'test').flatMap(namedPath)),
    targetPaths: [stringAt(manifest, 'package', 'build'), ...paths].filter((path) => path !== undefined),
  }
}

function namedPath(target: TomlTable): [string, string][] {
  const [name, path] = [stringAt(target, 'name'), stringAt(target, 'path')]
  return name === undefined || path === undefined ? [] : [[name, path]]
}

/** The channel of a `rust-toolchain` file, whose old form is the name alone. */
export function toolchainChannel(text: string): string | undefined {
  const toml = parseToml(text)
  return stringAt(toml, 'toolchain', 'channel') ?? /^[\w.-]+$/.exec(text.trim())?.[0]
}
