import type { CommitQuery, FileChange, Repository } from '@r2e/spec'

/** `repo.sparse_paths`: a change that touches none of these paths is no change. Others stay whole. */
export function sparseRepository(repository: Repository, paths: readonly string[]): Repository {
  if (paths.length === 0) return repository
  const folders = paths.map((path) => `${path.replace(/^\.?\/+|\/+$/g, '')}/`)
  const isInside = (path: string) => folders.some((folder) => folder === '/' || `${path}/`.startsWith(folder))
  const kept = (changes: readonly FileChange[]) =>
    changes.some(({ path, oldPath }) => isInside(path) || isInside(oldPath)) ? changes : []
  const commits = repository.commits?.bind(repository)
  // Its prototype is the repository itself: methods that are not replaced work on it, of whatever class it is.
  return Object.assign(Object.create(repository) as Repository, {
    async diff(...[from, to, signal]: Parameters<Repository['diff']>) {
      return kept(await repository.diff(from, to, signal))
    },
    ...(commits && {
      async *commits(query: CommitQuery) {
        for await (const commit of commits(query)) yield { ...commit, changes: kept(commit.changes) }
      },
    }),
  })
}
