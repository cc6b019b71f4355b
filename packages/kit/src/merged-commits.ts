import type { CommitInfo, ObjectId, Repository } from '@r2e/spec'
import { commitText } from './commit-text.ts'
import { titleKind } from './title-kind.ts'

export interface MergedQuery {
  readonly repository: Pick<Repository, 'commit' | 'mergeBase'>
  /** The newest commit that was merged. */
  readonly tip: ObjectId
  /** What it was merged into: commits that this already holds end the walk. */
  readonly into: ObjectId
  readonly limit: number
}

/**
 * The commits that a merge brought in, newest first: along first parents, and into the branches that a plain merge of
 * branches joined. What a merged request itself consists of is left out.
 */
export async function mergedCommits({ repository, tip, into, limit }: MergedQuery): Promise<readonly CommitInfo[]> {
  const found = new Map<ObjectId, CommitInfo>()
  const open = [tip]
  for (let id = open.pop(); id !== undefined && found.size < limit; id = open.pop()) {
    if (found.has(id) || (await repository.mergeBase(id, into)) === id) continue
    const commit = await repository.commit(id)
    found.set(id, commit)
    const [first, second] = commit.parents
    if (first !== undefined) open.push(first)
    if (second !== undefined && joinsBranches(commit)) open.push(second)
  }
  return [...found.values()]
}

function joinsBranches(commit: CommitInfo): boolean {
  const { title, machine } = commitText(commit.message)
  return machine || titleKind(title) === 'branch_merge'
}
