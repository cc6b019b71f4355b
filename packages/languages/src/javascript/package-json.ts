/** What is read of a package.json; anything of another kind counts as absent. */
export interface PackageJson {
  readonly text: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly scripts: Readonly<Record<string, string>>
  /** Names of all dependencies, of every kind. */
  readonly dependencies: ReadonlySet<string>
}

const dependencyFields = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const

/** What decides what is installed. Scripts are left out, since none of the project's own may run without its source. */
const installed = [
  'name',
  'version',
  'private',
  'type',
  ...dependencyFields,
  'peerDependenciesMeta',
  'dependenciesMeta',
  'bundleDependencies',
  'bundledDependencies',
  'workspaces',
  'overrides',
  'resolutions',
  'pnpm',
  'catalog',
  'catalogs',
  'patchedDependencies',
  'trustedDependencies',
]

export function parsePackageJson(text: string): PackageJson | undefined {
  let fields: unknown
  try {
    fields = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
  if (!isObject(fields)) return undefined
  const dependencies = new Set(dependencyFields.flatMap((field) => Object.keys(record(fields[field]))))
  return { text, fields, scripts: texts(fields.scripts), dependencies }
}

/** The manifest that the dependency layer is made from. */
export function installManifest({ fields }: PackageJson): string {
  const kept = Object.fromEntries(installed.filter((name) => name in fields).map((name) => [name, fields[name]]))
  return `${JSON.stringify(kept, undefined, 2)}\n`
}

export function record(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {}
}

export function texts(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(record(value)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

export function textList(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
