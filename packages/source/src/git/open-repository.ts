import { type RepoSpec, type Repository, userError } from '@r2e/spec'
import type { Address } from './address.ts'
import { type Git, gitFailure, readGit, runGit } from './git-process.ts'
import { findNewestTag } from './newest-tag.ts'
import { createObjectReader } from './object-reader.ts'
import { COMMIT_FORMAT, parseCommit } from './parse-commit.ts'
import { findPullRequests } from './pull-requests.ts'
import { resolveRef } from './resolve-ref.ts'
import { createTree } from './tree.ts'
import { readDiff, walkCommits } from './walk.ts'

/** The repository that our bare one in `git.directory` holds. `limit` bounds the bytes of one commit's changes. */
export async function openRepository(
  git: Git,
  address: Address,
  { spec, limit }: { readonly spec: RepoSpec; readonly limit: number },
): Promise<Repository> {
  const head = await resolveRef(git, spec.ref, address.url)
  const reader = createObjectReader(git)
  const webUrl = address.kind === 'remote' ? address.url : undefined
  const tags = new Map<string, Promise<string | undefined>>() // a search per tag and ancestor; a candidate asks many times
  const repository: Repository = {
    owner: address.owner,
    name: address.name,
    url: address.url,
    webUrl,
    head,
    rootCommit: once(async () => {
      const roots = await readGit(git, ['rev-list', '--first-parent', '--max-parents=0', head])
      return roots.toString().trim()
    }),
    async tree(commit) {
      const found = await reader.read(checkId(commit))
      if (found?.type !== 'commit') throw unknownCommit(commit, address.url)
      return createTree(git, reader, commit)
    },
    diff: (from, to, signal) => readDiff(git, [checkId(from), checkId(to)], { limit, signal }),
    async mergeBase(a, b) {
      const args = ['merge-base', checkId(a), checkId(b)]
      const found = await runGit(git, args)
      if (found.code !== 0 && found.code !== 1) throw gitFailure(args, found.stderr)
      return found.stdout.toString().trim() || undefined
    },
    async commit(id) {
      const args = ['log', '--no-walk', '--no-patch', '-z', `--format=${COMMIT_FORMAT}`, checkId(id)]
      const found = await runGit(git, args)
      if (found.code !== 0) throw unknownCommit(id, address.url)
      return parseCommit(found.stdout).info
    },
    newestTag(commit) {
      const known = tags.get(commit) ?? findNewestTag(git, checkId(commit))
      tags.set(commit, known)
      return known
    },
    async *commits(query) {
      const from = query.from === undefined ? head : await resolveRef(git, query.from, address.url)
      yield* walkCommits(git, { ...query, from, limit })
    },
    pullRequests: (query) => findPullRequests({ git, head, webUrl, mergeBase: repository.mergeBase }, query),
    [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose](),
  }
  return repository
}

/** Ids come from journals and other tools; anything else could be an option of git. */
function checkId(id: string): string {
  if (/^[0-9a-f]{40}([0-9a-f]{24})?$/.test(id)) return id
  throw userError('invalid_commit_id', `not a full commit id: ${JSON.stringify(id)}`, {
    fix: 'Give 40 or 64 lower-case hexadecimal digits.',
  })
}

function unknownCommit(id: string, where: string) {
  return userError('commit_not_found', `${where} has no commit ${id}`, {
    fix: 'It may have been rewritten; check the address and the ref.',
  })
}

function once<Value>(compute: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined
  return () => {
    value ??= compute()
    return value
  }
}
