import { encodeUtf8, type RecipeInput, type Repository, sha256Hex, type Tree } from '@r2e/spec'

/** A tree held in memory, for manifests that no real repository has side by side. */
export function treeOf(files: Readonly<Record<string, string>>): Tree {
  const bytes = new Map(Object.entries(files).map(([path, text]) => [path, encodeUtf8(text)]))
  return {
    commit: 'c'.repeat(40),
    entries: async () =>
      [...bytes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, content]) => ({
        path,
        mode: '100644' as const,
        blob: sha256Hex(content).slice(0, 40),
        size: content.length,
      })),
    submodules: async () => [],
    read: async (path) => bytes.get(path),
    readAll: async (paths) => new Map(paths.filter((path) => bytes.has(path)).map((path) => [path, bytes.get(path)!])),
  }
}

export function recipeInput(files: Readonly<Record<string, string>>, tag?: string): RecipeInput {
  const repository = {
    newestTag: async () => tag,
    commit: async () => ({ committedAt: '2024-02-29T12:00:00Z' }),
  } as Partial<Repository> as Repository
  return { tree: treeOf(files), repository, options: { setup: [] } }
}
