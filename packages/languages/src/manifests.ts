import { decodeUtf8, type Tree } from '@r2e/spec'

/** Files above this size are no manifests that a person wrote. */
const largest = 8 * 1024 * 1024

/** Reads files of a tree and remembers which: they are what the recipe was made from. */
export interface Manifests {
  /** Every path of the tree. */
  readonly paths: readonly string[]
  has(path: string): boolean
  /** The text of a regular file, or undefined; noted as used where it exists. */
  read(path: string): Promise<string | undefined>
  /** Many files at once, not noted as used. */
  peek(paths: readonly string[]): Promise<ReadonlyMap<string, string>>
  used(): readonly string[]
}

export async function openManifests(tree: Tree): Promise<Manifests> {
  const entries = await tree.entries()
  const sizes = new Map(entries.filter((entry) => entry.mode !== '120000').map((entry) => [entry.path, entry.size]))
  const used = new Set<string>()
  return {
    paths: entries.map((entry) => entry.path),
    has: (path) => sizes.has(path),
    async read(path) {
      if ((sizes.get(path) ?? Number.POSITIVE_INFINITY) > largest) return undefined
      const bytes = await tree.read(path)
      if (bytes === undefined) return undefined
      used.add(path)
      return decodeUtf8(bytes)
    },
    async peek(paths) {
      const wanted = paths.filter((path) => (sizes.get(path) ?? Number.POSITIVE_INFINITY) <= largest)
      const found = await tree.readAll(wanted)
      return new Map([...found].map(([path, bytes]) => [path, decodeUtf8(bytes)]))
    },
    used: () => [...used].sort(),
  }
}
