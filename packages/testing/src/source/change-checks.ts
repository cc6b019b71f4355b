import assert from 'node:assert/strict'
import type { Commit, FileChange, PullRequest, Repository } from '@r2e/spec'
import { runGit } from '../repository/run-git.ts'
import { COMMITS, ODD_PATH, SUBMODULE_COMMIT } from './sample-history.ts'
import type { FixtureCheck } from './source-suite.ts'
import { treeAfter } from './tree-after.ts'

export const changeChecks: readonly FixtureCheck[] = [
  {
    title: 'describes renames, modes, types, binaries, submodules and odd paths',
    async run({ built, repository }) {
      const [before, after] = [built.commits[COMMITS.merge]!, built.commits[COMMITS.merge + 2]!]
      const changes = await repository.diff(before, after)
      assert.deepEqual(changes.map(summary), [
        'modified bare.txt +1 -1',
        'modified crlf.txt +2 -1',
        `modified ${ODD_PATH} +1 -1`,
        'modified empty.txt +1 -0 100644→120000',
        'deleted latin.txt +0 -1',
        'renamed src/a b.py→lib/ü "c".py +1 -1',
        'modified link +1 -1 120000→100644',
        'modified logo.png +0 -0 binary',
        'added patch.txt +6 -0',
        'renamed run.sh→tools/run +0 -0 100755→100644',
        'modified vendor +1 -1 160000→100644',
      ])
      const vendor = changes.find((change) => change.path === 'vendor')
      assert.equal(vendor?.oldBlob, SUBMODULE_COMMIT)
    },
  },
  {
    title: 'gives patches that turn the one tree into the other, byte for byte',
    async run({ built, repository }) {
      const [root, head] = [built.commits[COMMITS.root]!, built.commits[COMMITS.head]!]
      for (const [from, to] of [
        [root, head],
        [head, root],
        [built.commits[COMMITS.sideTip]!, head],
      ] as const) {
        const tree = await treeAfter(built.directory, from, patchesOf(await repository.diff(from, to)))
        assert.equal(tree, await runGit(built.directory, 'rev-parse', `${to}^{tree}`))
      }
    },
  },
  {
    title: 'walks first parents newest first, each against its first parent',
    async run({ built, repository }) {
      const commits = await walk(repository, true)
      const { afterSide, merge } = COMMITS
      const line = built.commits.filter((_, index) => index === 0 || index >= afterSide).toReversed()
      if (repository.commits !== undefined)
        assert.deepEqual(
          commits.map((commit) => commit.id),
          line,
        )
      const merged = commits.find((commit) => commit.id === built.commits[merge])
      if (merged) assert.deepEqual(merged.changes.map(summary), ['added side.py +1 -0', 'added side_test.py +1 -0'])
      await assertPatches(built.directory, commits)
    },
  },
  {
    title: 'walks all commits, those of merged branches included',
    async run({ built, repository }) {
      const commits = await walk(repository, false)
      if (repository.commits !== undefined)
        assert.deepEqual(commits.map((commit) => commit.id).sort(), [...built.commits].sort())
      await assertPatches(built.directory, commits)
    },
  },
  {
    title: 'leaves out commits before since and after until, and lets a consumer stop early',
    async run({ built, repository }) {
      const range = { since: '2024-01-01T04:00:00Z', until: '2024-01-01T06:30:00Z', firstParent: true }
      const commits: Commit[] = []
      for await (const commit of repository.commits?.(range) ?? []) commits.push(commit)
      const { commits: ids } = built
      if (repository.commits)
        assert.deepEqual(
          commits.map((commit) => commit.id),
          [ids[5], ids[4]],
        )
      for await (const commit of repository.commits?.({ firstParent: true }) ?? []) {
        assert.equal(commit.id, repository.head)
        break
      }
    },
  },
  {
    title: 'takes the base of a pull request from where it forked',
    async run({ built, repository }) {
      const pulls: PullRequest[] = []
      for await (const pull of repository.pullRequests?.({ skipDrafts: true }) ?? []) pulls.push(pull)
      if (repository.pullRequests === undefined) return
      const { root, sideTip, merge, squash } = COMMITS
      const ids = built.commits
      assert.deepEqual(
        pulls.map(({ number, title, body, head, base, mergeCommit }) => ({
          number,
          title,
          body,
          head,
          base,
          mergeCommit,
        })),
        [
          {
            number: 9,
            title: 'Fix the feature',
            body: 'It was wrong.',
            head: ids[squash],
            base: ids[squash - 1],
            mergeCommit: ids[squash],
          },
          {
            number: 7,
            title: 'Add the feature',
            body: 'It was missing.',
            head: ids[sideTip],
            base: ids[root],
            mergeCommit: ids[merge],
          },
        ],
      )
      assert.equal(pulls[1]!.authorName, 'Sid')
    },
  },
  {
    title: 'finds merge bases',
    async run({ built, repository }) {
      const [side, main] = [built.commits[COMMITS.sideTip]!, built.commits[COMMITS.afterSide]!]
      assert.equal(await repository.mergeBase(side, main), built.commits[COMMITS.root])
    },
  },
]

async function walk(repository: Repository, firstParent: boolean): Promise<Commit[]> {
  const commits: Commit[] = []
  for await (const commit of repository.commits?.({ firstParent }) ?? []) commits.push(commit)
  return commits
}

async function assertPatches(directory: string, commits: readonly Commit[]): Promise<void> {
  for (const { id, parents, changes } of commits)
    assert.equal(
      await treeAfter(directory, parents[0], patchesOf(changes)),
      await runGit(directory, 'rev-parse', `${id}^{tree}`),
      id,
    )
}

function patchesOf(changes: readonly FileChange[]): Uint8Array[] {
  return changes.map((change) => change.patch)
}

function summary(change: FileChange): string {
  const path = change.path === change.oldPath ? change.path : `${change.oldPath}→${change.path}`
  const modes = change.oldMode !== change.newMode && change.oldMode && change.newMode
  const details = `${change.binary ? ' binary' : ''}${modes ? ` ${change.oldMode}→${change.newMode}` : ''}`
  return `${change.kind} ${path} +${change.addedLines} -${change.deletedLines}${details}`
}
