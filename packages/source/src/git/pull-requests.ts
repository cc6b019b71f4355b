import type { CommitInfo, PullRequest, PullRequestQuery } from '@r2e/spec'
import { type Git, readGit } from './git-process.ts'
import { type PullMessage, readPullMessage } from './pull-message.ts'
import { walkHeaders } from './walk.ts'

/** What finding pull requests needs of an open repository. */
export interface PullContext {
  readonly git: Git
  readonly head: string
  readonly webUrl: string | undefined
  mergeBase(a: string, b: string): Promise<string | undefined>
  commit(id: string): Promise<CommitInfo>
}

interface Merge {
  readonly commit: CommitInfo
  readonly message: PullMessage
}

/** Merged pull requests by what the commits on the branch say, newest merge first; no forge is asked. */
export async function* findPullRequests(
  context: PullContext,
  query: PullRequestQuery,
): AsyncGenerator<PullRequest, void> {
  const refs = await readPullRefs(context.git)
  for (const merge of await findMerges(context, query)) {
    query.signal?.throwIfAborted()
    const ends = await findEnds(context, merge, refs.get(`${merge.message.forge}/${merge.message.number}`))
    if (ends !== undefined) yield describe(context, merge, { ...ends, author: await context.commit(ends.head) })
  }
}

/** Later commits may name a number again (a follow-up, a revert), so the merge, else the oldest commit, is the one. */
async function findMerges({ git, head }: PullContext, query: PullRequestQuery): Promise<Merge[]> {
  const { since, until, signal } = query
  const merges = new Map<string, Merge>()
  const walk = { from: head, firstParent: true, limit: MESSAGE_LIMIT, since, until, signal }
  for await (const commit of walkHeaders(git, walk)) {
    const message = readPullMessage(commit.message)
    if (message === undefined || commit.parents.length === 0) continue
    const key = `${message.forge}/${message.number}`
    const known = merges.get(key)
    if (known !== undefined && known.commit.parents.length > commit.parents.length) continue
    merges.delete(key)
    merges.set(key, { commit, message })
  }
  return [...merges.values()]
}

const MESSAGE_LIMIT = 1024 * 1024

interface Ends {
  readonly head: string
  readonly base: string
}

async function findEnds(context: PullContext, { commit }: Merge, ref: string | undefined): Promise<Ends | undefined> {
  const [parent = '', merged] = commit.parents
  for (const head of [ref, merged]) {
    const base = head === undefined ? undefined : await context.mergeBase(head, parent)
    // A head without a common ancestor, or one that the branch held already, is another repository's or another number's.
    if (head !== undefined && base !== undefined && base !== head) return { head, base }
  }
  return { head: commit.id, base: parent }
}

function describe(context: PullContext, { commit, message }: Merge, ends: Ends & { author: CommitInfo }): PullRequest {
  const { forge, number, body } = message
  const page = forge === 'pull' ? 'pull' : '-/merge_requests'
  const [subject = ''] = ends.author.message.split('\n')
  return {
    number,
    title: message.title === '' ? subject : message.title,
    body,
    head: ends.head,
    base: ends.base,
    mergeCommit: commit.id,
    mergedAt: commit.committedAt,
    authorName: ends.author.authorName,
    authorIsBot: isBot(ends.author),
    draft: undefined,
    labels: [],
    url: context.webUrl === undefined ? undefined : `${context.webUrl}/${page}/${number}`,
    linkedIssues: [],
  }
}

function isBot({ authorName, authorEmail }: CommitInfo): boolean {
  return (
    /\[bot\]/.test(`${authorName} ${authorEmail}`) ||
    /^(dependabot|renovate|pre-commit-ci|greenkeeper)\b/i.test(authorName)
  )
}

async function readPullRefs(git: Git): Promise<Map<string, string>> {
  const output = await readGit(git, [
    'for-each-ref',
    '--format=%(objectname) %(refname)',
    'refs/pull',
    'refs/merge-requests',
  ])
  const refs = new Map<string, string>()
  for (const line of output.toString().split('\n')) {
    const [, id = '', kind, number] = /^(\w+) refs\/(pull|merge-requests)\/(\d+)\/head$/.exec(line) ?? []
    if (number !== undefined) refs.set(`${kind === 'pull' ? 'pull' : 'merge-request'}/${number}`, id)
  }
  return refs
}
