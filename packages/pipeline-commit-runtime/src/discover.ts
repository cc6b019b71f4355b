import { momentOf } from '@r2e/kit'
import { type DiscoverInput, type Found, R2eError, type Skip } from '@r2e/spec'
import { type CommitCandidate, candidateId, subjectOf } from './candidate.ts'
import { skipByChanges } from './change-skip.ts'
import { skipByMetadata } from './metadata-skip.ts'
import type { Options } from './options.ts'

/** Every commit of the branch, newest first: a candidate, or why it is none. */
export async function* discover(input: DiscoverInput<Options>): AsyncGenerator<Found<CommitCandidate> | Skip, void> {
  const { options, repository, languages, role, signal } = input
  if (!repository.commits) throw new R2eError('no_commits', 'user', `${repository.url}: the source lists no commits`)
  const commits = repository.commits({
    from: options.branch === 'HEAD' ? undefined : options.branch,
    since: momentOf(options.since, 'start'),
    until: momentOf(options.until, 'end'),
    firstParent: options.first_parent,
    signal,
  })
  for await (const commit of commits) {
    const id = candidateId(commit)
    const title = subjectOf(commit)
    const left = skipByMetadata(commit, options) ?? skipByChanges({ changes: commit.changes, role, options, languages })
    if (left) yield { kind: 'skip', id, title, ...left }
    else yield { kind: 'found', candidate: { id, base: commit.parents[0]!, title, commit: commit.id } }
  }
}
