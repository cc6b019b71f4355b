import type { CommitInfo, PullRequest, PullRequestQuery } from '@r2e/spec'
import { type Git, isGitFailure, readGit } from './git-process.ts'
import { type PullMessage, readPullMessage } from './pull-message.ts'
import { readHeaders, unixSeconds, walkHeaders } from './walk.ts'

/** What finding pull requests needs of an open repository. */
export interface PullContext {
  readonly git: Git
  readonly head: string
  readonly webUrl: string | undefined
  mergeBase(a: string, b: string): Promise<string | undefined>
}

interface Merge {
  readonly commit: CommitInfo
  readonly message: PullMessage
  /** The commit of the pull ref with the number. */
  readonly ref: string | undefined
}

/** Merged pull requests by what the commits say, newest merge first; no forge is asked. */
export async function* findPullRequests(
  context: PullContext,
  query: PullRequestQuery,
): AsyncGenerator<PullRequest, void> {
  const refs = await readPullRefs(context.git)
  const merges = await findMerges(context, query, refs)
  const heads = await readHeads(context.git, merges, query.signal)
  for (const merge of merges) {
    query.signal?.throwIfAborted()
    const ends = await findEnds(context, merge)
    yield describe(context, merge, { ...ends, author: heads.get(ends.head) ?? merge.commit })
  }
}

/** Later commits may name a number again (a follow-up, a revert), so the merge, else the oldest commit, is the one. */
async function findMerges(
  context: PullContext,
  query: PullRequestQuery,
  refs: ReadonlyMap<string, string>,
): Promise<Merge[]> {
  const since = query.since === undefined ? -Infinity : unixSeconds(query.since, Math.ceil)
  const until = query.until === undefined ? Infinity : unixSeconds(query.until, Math.floor)
  const merges = new Map<string, Merge>()
  let mainline: string | undefined = context.head
  for await (const commit of walkHeaders(context.git, { from: context.head, signal: query.signal })) {
    const isMainline = commit.id === mainline
    if (isMainline) mainline = commit.parents[0]
    const message = commit.parents.length === 0 ? undefined : readPullMessage(commit.message)
    if (message === undefined) continue
    const key = `${message.forge}/${message.number}`
    const ref = refs.get(key)
    // Off the main line a number may be another repository's, unless the pull ref is what was merged.
    if (!isMainline && (ref === undefined || ref !== commit.parents[1])) continue
    const known = merges.get(key)
    if (known !== undefined && known.commit.parents.length > commit.parents.length) continue
    merges.delete(key)
    merges.set(key, { commit, message, ref })
  }
  return [...merges.values()].filter(({ commit }) => {
    const time = Date.parse(commit.committedAt) / 1000
    return !(time < since || time > until)
  })
}

/** One process for all heads that may be asked for. */
async function readHeads(
  git: Git,
  merges: readonly Merge[],
  signal: AbortSignal | undefined,
): Promise<Map<string, CommitInfo>> {
  const ids = merges.flatMap(({ commit, ref }) => [ref, commit.parents[1]]).filter((id) => id !== undefined)
  const heads = new Map<string, CommitInfo>()
  if (ids.length > 0) for await (const info of readHeaders(git, ids, signal)) heads.set(info.id, info)
  return heads
}

interface Ends {
  readonly head: string
  readonly base: string
}

async function findEnds(context: PullContext, { commit, ref }: Merge): Promise<Ends> {
  const [parent = '', merged] = commit.parents
  for (const head of [ref, merged]) {
    const base = head === undefined ? undefined : await mergeBase(context, head, parent)
    // A head without a common ancestor, or one that the branch held already, is another repository's or another number's.
    if (head !== undefined && base !== undefined && base !== head) return { head, base }
  }
  return { head: commit.id, base: parent }
}

/** A pull ref is anybody's to write: one whose history lacks objects is as good as none. */
async function mergeBase(context: PullContext, head: string, parent: string): Promise<string | undefined> {
  try {
    return await context.mergeBase(head, parent)
  } catch (error) {
    if (isGitFailure(error)) return undefined
    throw error
  }
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
    '--format=%(objecttype) %(objectname) %(refname)',
    'refs/pull',
    'refs/merge-requests',
  ])
  const refs = new Map<string, string>()
  for (const line of output.toString().split('\n')) {
    const [, id = '', kind, number] = /^commit (\w+) refs\/(pull|merge-requests)\/(\d+)\/head$/.exec(line) ?? []
    if (number !== undefined) refs.set(`${kind === 'pull' ? 'pull' : 'merge-request'}/${number}`, id)
  }
  return refs
}
