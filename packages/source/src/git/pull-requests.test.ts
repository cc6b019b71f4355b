import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PullRequest, PullRequestQuery, Repository } from '@r2e/spec'
import { buildRepository, type RepositoryStep, runGit } from '@r2e/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGitSource } from './git-source.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'r2e-pulls-'))
})
afterAll(() => rm(root, { recursive: true }))

async function pullsOf(name: string, steps: readonly RepositoryStep[], query: Partial<PullRequestQuery> = {}) {
  const built = await buildRepository(join(root, name), steps)
  await using repository = await openRepository(built.directory)
  const pulls = await listPulls(repository, query)
  const changed = async ({ base, head }: PullRequest) =>
    (await repository.diff(base, head)).map((change) => change.path)
  return { pulls, commits: built.commits, files: await Promise.all(pulls.map(changed)) }
}

const openRepository = (url: string) =>
  createGitSource().open({ url, ref: 'main', access: 'auto' }, { cacheDirectory: join(root, 'cache') })

async function listPulls(repository: Repository, query: Partial<PullRequestQuery> = {}): Promise<PullRequest[]> {
  const pulls: PullRequest[] = []
  for await (const pull of repository.pullRequests!({ skipDrafts: true, ...query })) pulls.push(pull)
  return pulls
}

const start = { commit: 'Start', files: { a: '1' } }

describe('pull requests', () => {
  it('hold no change that the base branch made after the fork [A14 W16 G11]', async () => {
    const { pulls, commits, files } = await pullsOf('moved', [
      start,
      { branch: 'topic' },
      { commit: 'Work', files: { topic: '1' } },
      { branch: 'main' },
      { commit: 'Foreign', files: { foreign: '1' } },
      { merge: 'topic', message: 'Merge pull request #1 from x/topic\n\nWork' },
    ])
    expect(pulls).toEqual([
      {
        number: 1,
        title: 'Work',
        body: '',
        head: commits[1],
        base: commits[0],
        mergeCommit: commits[3],
        mergedAt: expect.stringMatching(/^2024-01-01T03:00:00/),
        authorName: 'Ada Example',
        authorIsBot: false,
        draft: undefined,
        labels: [],
        url: undefined,
        linkedIssues: [],
      },
    ])
    expect(files).toEqual([['topic']])
  })

  it('take the base of a head that merged the base branch in from its last sync', async () => {
    const { commits, pulls, files } = await pullsOf('synced', [
      start,
      { branch: 'topic' },
      { commit: 'Work', files: { topic: '1' } },
      { branch: 'main' },
      { commit: 'Foreign', files: { foreign: '1' } },
      { branch: 'topic' },
      { merge: 'main', message: "Merge branch 'main' into topic" },
      { branch: 'main' },
      { merge: 'topic', message: 'Merge pull request #1 from x/topic' },
    ])
    expect(pulls.map(({ base, title }) => [base, title])).toEqual([[commits[2], "Merge branch 'main' into topic"]])
    expect(files).toEqual([['topic']])
  })

  it('take a squash from its pull ref where there is one, else from itself [G13]', async () => {
    const { pulls, commits } = await pullsOf('squashed', [
      start,
      { branch: 'topic' },
      { commit: 'Work', files: { topic: '1' }, author: { name: 'Someone', email: 's@example.com' } },
      { ref: 'refs/pull/1/head' },
      { branch: 'main' },
      { commit: 'With ref (#1)', files: { topic: '1' } },
      { commit: 'Without ref (#2)', files: { other: '1' } },
    ])
    expect(
      pulls.map(({ number, head, base, authorName }) => [
        number,
        commits.indexOf(head),
        commits.indexOf(base),
        authorName,
      ]),
    ).toEqual([
      [2, 3, 2, 'Ada Example'],
      [1, 1, 0, 'Someone'],
    ])
  })

  it('go on without a pull ref that belongs to something else, and list none that no commit names', async () => {
    const { pulls, commits } = await pullsOf('odd-refs', [
      start,
      { branch: 'foreign', orphan: true },
      { commit: 'Unrelated', files: { z: '1' } },
      { ref: 'refs/pull/2/head' },
      { ref: 'refs/pull/3/head', at: 0 },
      { ref: 'refs/pull/4/head', at: 0 },
      { branch: 'main' },
      { commit: 'Second (#2)', files: { b: '1' } },
      { commit: 'Third (#3)', files: { c: '1' } },
    ])
    expect(pulls.map(({ number, head, base }) => [number, commits.indexOf(head), commits.indexOf(base)])).toEqual([
      [3, 3, 2],
      [2, 2, 0],
    ])
  })

  it('do not end with a pull ref that names a file, a folder, nothing, or a history with holes', async () => {
    const directory = join(root, 'damaged')
    const { commits } = await buildRepository(directory, [
      start,
      { branch: 'topic' },
      { commit: 'Lost', files: { topic: '1' } },
      { commit: 'Work', files: { topic: '2' } },
      { branch: 'main' },
      ...[1, 2, 3, 4].map((number) => ({ commit: `Change (#${number})`, files: { a: `${number}+` } })),
    ])
    await runGit(directory, 'update-ref', 'refs/pull/1/head', await runGit(directory, 'rev-parse', 'main:a'))
    await runGit(directory, 'update-ref', 'refs/pull/2/head', await runGit(directory, 'rev-parse', 'main^{tree}'))
    await mkdir(join(directory, '.git/refs/pull/3'), { recursive: true })
    await writeFile(join(directory, '.git/refs/pull/3/head'), 'garbage\n')
    await runGit(directory, 'update-ref', 'refs/pull/4/head', commits[2]!)
    await rm(join(directory, '.git/objects', commits[1]!.slice(0, 2), commits[1]!.slice(2)))
    await using repository = await openRepository(directory)
    const pulls = await listPulls(repository)
    expect(pulls.map(({ number, head }) => [number, commits.indexOf(head)])).toEqual([
      [4, 6],
      [3, 5],
      [2, 4],
      [1, 3],
    ])
  })

  it('that were merged into another branch first are listed when their ref proves it', async () => {
    const { pulls, commits } = await pullsOf('maintained', [
      start,
      { branch: 'stable' },
      { commit: 'Someone else numbered this (#8)', files: { s: '1' } },
      { branch: 'topic' },
      { commit: 'Work', files: { topic: '1' } },
      { ref: 'refs/pull/1/head' },
      { branch: 'other', at: 'stable' },
      { commit: 'Other', files: { other: '1' } },
      { branch: 'stable' },
      { merge: 'topic', message: 'Merge pull request #1 from x/topic\n\nWork' },
      { merge: 'other', message: 'Merge pull request #2 from x/other\n\nOf another repository' },
      { branch: 'main' },
      { commit: 'Move on', files: { b: '1' } },
      { merge: 'stable', message: "Merge branch 'stable'" },
    ])
    expect(pulls.map(({ number, head, base }) => [number, commits.indexOf(head), commits.indexOf(base)])).toEqual([
      [1, 2, 1],
    ])
  })

  it('come once each: the merge, or the first commit with the number', async () => {
    const { pulls, commits } = await pullsOf('repeated', [
      start,
      { commit: 'Fix (#1)', files: { a: '2' } },
      { commit: 'Follow-up (#1)', files: { a: '3' } },
      { branch: 'topic' },
      { commit: 'Work', files: { b: '1' } },
      { branch: 'main' },
      { merge: 'topic', message: 'Merge pull request #2 from x/topic\n\nWork' },
      { commit: 'Changelog (#2)', files: { c: '1' } },
    ])
    expect(pulls.map(({ number, mergeCommit }) => [number, commits.indexOf(mergeCommit!)])).toEqual([
      [2, 4],
      [1, 1],
    ])
  })

  it('are listed without a limit and within the dates asked for, and tell bots [W27]', async () => {
    const many = Array.from({ length: 1200 }, (_, index) => ({ commit: `Change (#${index + 1})` }))
    const bot = { name: 'dependabot[bot]', email: '1+dependabot[bot]@users.noreply.github.com' }
    const steps = [start, ...many, { commit: 'Bump x (#2000)', author: bot, files: { b: '1' } }]
    const built = await buildRepository(join(root, 'many'), steps)
    await using repository = await createGitSource().open(
      { url: built.directory, ref: 'HEAD', access: 'auto' },
      { cacheDirectory: join(root, 'cache') },
    )
    const pulls = repository.pullRequests!({ skipDrafts: true })
    const { value } = await pulls.next()
    expect(value).toMatchObject({ number: 2000, authorIsBot: true })
    expect((await pulls.next()).value).toMatchObject({ number: 1200, authorIsBot: false })
    await pulls.return()
    const some: number[] = []
    const range = { since: '2024-01-01T02:00:00Z', until: '2024-01-01T04:00:00Z' }
    for await (const { number } of repository.pullRequests!({ skipDrafts: true, ...range })) some.push(number)
    expect(some).toEqual([4, 3, 2])
    expect(await runGit(built.directory, 'rev-list', '--count', 'HEAD')).toBe('1202')
  })

  it('of a merge request are read from its own refs', async () => {
    const { pulls, commits } = await pullsOf('gitlab', [
      start,
      { branch: 'topic' },
      { commit: 'Work', files: { topic: '1' } },
      { ref: 'refs/merge-requests/5/head' },
      { branch: 'main' },
      { commit: 'Move on', files: { b: '1' } },
      { merge: 'topic', message: "Merge branch 'topic' into 'main'\n\nThe work\n\nWhy.\n\nSee merge request g/p!5" },
    ])
    expect(pulls).toMatchObject([{ number: 5, title: 'The work', body: 'Why.', head: commits[1], base: commits[0] }])
  })
})
