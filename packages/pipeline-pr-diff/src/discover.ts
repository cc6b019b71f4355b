import { isBot, momentOf, titleKind } from '@r2e/kit'
import { type DiscoverInput, type Found, type PullRequest, R2eError, type Repository, type Skip } from '@r2e/spec'
import { isBranchSync } from './branch-sync.ts'
import { candidateOf, type RequestCandidate } from './candidate.ts'
import type { Options } from './options.ts'
import type { Reason } from './reason.ts'

/** Every merged request, newest merge first: a candidate, or why it is none. Reads no diff. */
export async function* discover(input: DiscoverInput<Options>): AsyncGenerator<Found<RequestCandidate> | Skip, void> {
  const { options, repository, signal } = input
  if (!repository.pullRequests)
    throw new R2eError('no_pull_requests', 'user', `${repository.url}: the source lists no pull requests`)
  const requests = repository.pullRequests({
    since: momentOf(options.since, 'start'),
    until: momentOf(options.until, 'end'),
    skipDrafts: options.skip_drafts,
    signal,
  })
  for await (const request of requests) {
    const left = await skipByMetadata(request, options, repository)
    const candidate = candidateOf(request)
    if (left) yield { kind: 'skip', id: candidate.id, title: candidate.title, ...left }
    else yield { kind: 'found', candidate }
  }
}

async function skipByMetadata(
  request: PullRequest,
  options: Options,
  repository: Repository,
): Promise<Reason | undefined> {
  if (options.skip_drafts && request.draft) return { reason: 'draft', detail: 'the request is a draft' }
  if (request.authorIsBot || isBot(request.authorName, ''))
    return { reason: 'bot_author', detail: 'opened by a program' }
  const kind = titleKind(request.title)
  if (kind === 'revert') return { reason: 'revert_pr', detail: 'takes an earlier change back' }
  if (kind === 'branch_merge') return { reason: 'branch_sync', detail: 'merges branches by its title' }
  if (kind !== undefined) return { reason: 'non_bug_pr', detail: `a ${kind} by its title` }
  if (await isBranchSync(request, repository))
    return { reason: 'branch_sync', detail: 'brings in the work of other requests' }
  return undefined
}
