import { mergedCommits } from '@r2e/kit'
import type { CommitInfo, ObjectId, PullRequest, Repository } from '@r2e/spec'

const WALK_LIMIT = 40
const REQUEST_IN_SUBJECT = /^Merge pull request #(\d+) |\(#(\d+)\)\s*$/

/**
 * Whether a request brings one long-lived branch into another, whatever its title: among the commits that it brings
 * in, two or more were merged by other requests.
 */
export async function isBranchSync(request: PullRequest, repository: Repository): Promise<boolean> {
  const into = await intoOf(request, repository)
  const walk = (tip: ObjectId) => mergedCommits({ repository, tip, into, limit: WALK_LIMIT })
  const own = await walk(request.head)
  const merged = await Promise.all(
    own
      .flatMap(({ parents }) => parents.slice(1, 2))
      .slice(0, 5)
      .map(walk),
  )
  const numbers = new Set([...own, ...merged.flat()].map(requestNumber))
  numbers.delete(undefined)
  numbers.delete(request.number)
  return numbers.size >= 2
}

/** What the request was merged into: the first parent of its merge, or its base. */
async function intoOf(request: PullRequest, repository: Repository): Promise<ObjectId> {
  if (request.mergeCommit === undefined) return request.base
  return (await repository.commit(request.mergeCommit)).parents[0] ?? request.base
}

function requestNumber(commit: CommitInfo): number | undefined {
  const match = REQUEST_IN_SUBJECT.exec(commit.message.split('\n', 1)[0]!)
  return match ? Number(match[1] ?? match[2]) : undefined
}
