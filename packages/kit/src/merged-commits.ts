import type { CommitInfo, ObjectId, Repository } from '@r2e/spec'

export interface MergedQuery {
  readonly repository: Pick<Repository, 'commit' | 'mergeBase'>
  /** The newest commit that was merged. */
  readonly tip: ObjectId
  /** What it was merged into: commits that this already holds end the walk. */
  readonly into: ObjectId
  readonly limit: number
}

/** The commits that a merge brought in, along first parents, newest first. */
export async function mergedCommits({ repository, tip, into, limit }: MergedQuery): Promise<readonly CommitInfo[]> {
  const found: CommitInfo[] = []
  for (let id: ObjectId | undefined = tip; id !== undefined && found.length < limit; ) {
    if ((await repository.mergeBase(id, into)) === id) break
    const commit: CommitInfo = await repository.commit(id)
    found.push(commit)
    id = commit.parents[0]
  }
  return found
}
