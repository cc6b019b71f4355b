import { mkdtemp, readFile, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathFromBytes } from '@r2e/spec'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildRepository } from './build-repository.ts'
import type { RepositoryStep } from './repository-step.ts'
import { runGit, runGitBytes } from './run-git.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'r2e-build-'))
})
afterAll(() => rm(root, { recursive: true }))

const odd = pathFromBytes(Uint8Array.of(0x66, 0xff, 0x0a, 0x22, 0x20))
const steps: readonly RepositoryStep[] = [
  { commit: 'first', files: { 'a.txt': 'one\n', 'run.sh': { content: 'echo\n', mode: '100755' }, [odd]: 'odd' } },
  { branch: 'feature' },
  { commit: 'feature', files: { 'dir/f.txt': 'f\n', link: { link: 'a.txt' } }, rename: { 'run.sh': 'bin/run.sh' } },
  { branch: 'main' },
  { commit: 'second', files: { 'b.txt': 'two\r\n' }, delete: ['a.txt'] },
  { merge: 'feature', message: 'Merge feature' },
  { tag: 'v1' },
  { tag: 'v2', annotation: 'two', at: 0 },
  { ref: 'refs/pull/7/head', at: 'feature' },
]

describe('buildRepository', () => {
  it('builds merges, tags, refs, modes, links and raw path bytes', async () => {
    const built = await buildRepository(join(root, 'all'), steps)
    const files = await runGitBytes({ directory: built.directory }, 'ls-tree', '-r', '-z', 'HEAD')
    expect(
      files
        .toString('latin1')
        .split('\0')
        .map((line) => line.replace(/ blob \w+\t/, ' ')),
    ).toEqual(['100644 b.txt', '100755 bin/run.sh', '100644 dir/f.txt', '100644 f\xff\n" ', '120000 link', ''])
    expect(await runGit(built.directory, 'log', '--format=%s %ct', '--first-parent')).toBe(
      'Merge feature 1704078000\nsecond 1704074400\nfirst 1704067200',
    )
    expect(await runGit(built.directory, 'rev-parse', 'v1', 'v2^{commit}', 'refs/pull/7/head')).toBe(
      [built.commits[3], built.commits[0], built.commits[1]].join('\n'),
    )
    expect(await runGit(built.directory, 'status', '--porcelain')).toBe('')
    expect(await readlink(join(built.directory, 'link'))).toBe('a.txt')
    expect(await readFile(join(built.directory, 'b.txt'), 'utf8')).toBe('two\r\n')
  })

  it('gives equal ids for equal steps', async () => {
    const one = await buildRepository(join(root, 'one'), steps)
    const two = await buildRepository(join(root, 'two'), steps, { bare: true })
    expect(two.commits).toEqual(one.commits)
    await runGit(two.directory, 'fsck', '--strict')
  })

  it('builds histories without a common root, and empty repositories', async () => {
    const built = await buildRepository(join(root, 'orphan'), [
      { commit: 'main', files: { a: '1' } },
      { branch: 'pages', orphan: true },
      { commit: 'pages', files: { b: '2' } },
    ])
    expect(await runGit(built.directory, 'log', '--format=%s')).toBe('pages')
    const empty = await buildRepository(join(root, 'empty'), [])
    expect(await runGit(empty.directory, 'status', '--porcelain')).toBe('')
  })
})
