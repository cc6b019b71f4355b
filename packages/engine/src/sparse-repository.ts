import type { FileChange, Repository } from '@r2e/spec'

/** `repo.sparse_paths`: a change that touches none of these paths is no change. Others stay whole. */
export function sparseRepository(repository: Repository, paths: readonly string[]): Repository {
  if (paths.length === 0) return repository
  const folders = paths.map((path) => `${path.replace(/^\.?\/+|\/+$/g, '')}/`)
  const isInside = (path: string) => folders.some((folder) => folder === '/' || `${path}/`.startsWith(folder))
  const kept = (changes: readonly FileChange[]) =>
    changes.some(({ path, oldPath }) => isInside(path) || isInside(oldPath)) ? changes : []
  const { commits } = repository
  return {
    ...repository,
    async diff(from, to, signal) {
      return kept(await repository.diff(from, to, signal))
    },
    ...(commits && {
      async *commits(query) {
        for await (const commit of commits(query)) yield { ...commit, changes: kept(commit.changes) }
      },
    }),
    [Symbol.asyncDispose]: () => repository[Symbol.asyncDispose](),
  }
}
