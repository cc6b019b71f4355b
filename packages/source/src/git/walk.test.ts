import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Commit, type FileMode, pathFromBytes, type Repository } from '@r2e/spec'
import { buildRepository, type FileContent, type RepositoryStep, runGit, treeAfter } from '@r2e/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGitSource } from './git-source.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'r2e-walk-'))
})
afterAll(() => rm(root, { recursive: true }))

function open(url: string, maxDiffBytes?: number): Promise<Repository> {
  const spec = { url, ref: 'HEAD', access: 'auto' as const }
  return createGitSource({ maxDiffBytes }).open(spec, { cacheDirectory: join(root, 'cache') })
}

async function collect(repository: Repository, firstParent = true): Promise<Commit[]> {
  const commits: Commit[] = []
  for await (const commit of repository.commits!({ firstParent })) commits.push(commit)
  return commits
}

// Few names over few folders, so that files meet, move, and turn into folders and back.
const pathPart = fc.constantFrom('a', 'b c', 'ü', '"q"', 'n\nl', 't\t', '\\', '-x', 'end ')
const path = fc.oneof(
  fc.array(pathPart, { minLength: 1, maxLength: 2 }).map((parts) => parts.join('/')),
  fc
    .uint8Array({ minLength: 1, maxLength: 3 })
    .filter((raw) => !raw.includes(0) && !raw.includes(0x2f) && !raw.includes(0x2e))
    .map(pathFromBytes),
)
const line = fc.constantFrom(
  'x\n',
  'y\r\n',
  'diff --git a/a b/a\n',
  '--- a/a\n',
  '@@ -1 +1 @@\n',
  'é\n',
  '\\ No newline\n',
  '\n',
  'GIT binary patch\n',
)
const text = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('', 'end'))
  .map(([lines, end]) => lines.join('') + end)
const bytes = fc.uint8Array({ maxLength: 40 })
const mode = fc.constantFrom<FileMode>('100644', '100755')
const file: fc.Arbitrary<FileContent> = fc.oneof(
  text,
  bytes,
  fc.record({ content: text, mode }),
  fc.constantFrom('a', '../b c').map((link) => ({ link })),
  fc.constantFrom('1', '2').map((digit) => ({ submodule: digit.repeat(40) })),
)
// git itself cannot read its header of an empty file whose folder's name ends in a blank
const readable = path.filter((name) => !name.includes(' /'))
const tree = fc.dictionary(readable, file, { maxKeys: 6 }).map(withoutClashes)

function linkBecomesFolder(before: Record<string, FileContent>, after: Record<string, FileContent>): boolean {
  const links = Object.keys(before).filter((name) => typeof before[name] === 'object' && 'link' in before[name])
  return links.some((link) => Object.keys(after).some((name) => name.startsWith(`${link}/`)))
}

describe('commits', () => {
  it('carry patches that rebuild each tree from its parent, byte for byte [G01 G02 G07]', async () => {
    let round = 0
    await fc.assert(
      fc.asyncProperty(fc.array(tree, { minLength: 2, maxLength: 4 }), async (trees) => {
        // git apply takes no patch that moves a link away and puts a folder in its place
        fc.pre(!trees.some((files, index) => linkBecomesFolder(files, trees[index + 1] ?? {})))
        const steps: RepositoryStep[] = trees.map((files, index) => ({
          commit: `${index}`,
          files,
          delete: Object.keys(trees[index - 1] ?? {}),
        }))
        const { directory } = await buildRepository(join(root, `random-${round++}`), steps, { bare: true })
        await using repository = await open(directory)
        for (const { id, parents, changes } of await collect(repository)) {
          const rebuilt = await treeAfter(
            directory,
            parents[0],
            changes.map((change) => change.patch),
          )
          expect(rebuilt).toBe(await runGit(directory, 'rev-parse', `${id}^{tree}`))
        }
      }),
      { numRuns: 15 },
    )
  })

  it('count the lines that git counts', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 301 }, (_, index) => [`d/${index}.txt`, `${index}\n+++\n---\n`]),
    )
    const changed = Object.fromEntries(Object.keys(files).map((name) => [name, `--- ${name}\n+++ b\n@@\n`]))
    const steps = [
      { commit: 'one', files },
      { commit: 'two', files: changed },
    ]
    const { directory } = await buildRepository(join(root, 'many'), steps)
    await using repository = await open(directory)
    const [commit] = await collect(repository)
    const counted = commit!.changes.map((change) => `${change.addedLines}\t${change.deletedLines}\t${change.path}`)
    expect(counted.sort()).toEqual((await runGit(directory, 'diff', '--numstat', 'HEAD~1', 'HEAD')).split('\n').sort())
    expect(counted).toHaveLength(301)
  })

  it('read messages and names of any encoding', async () => {
    const message = Buffer.from('caf\xe9\n\nbody \x01 <mark>\n', 'latin1')
    const steps = [
      { commit: message, author: { name: 'Zoë "Z" O\'Neil', email: 'zoë@example.com' }, date: '2001-02-03T04:05:06Z' },
    ]
    const { directory } = await buildRepository(join(root, 'words'), steps)
    await using repository = await open(directory)
    const [commit] = await collect(repository)
    const { id, ...rest } = commit!
    expect(rest).toEqual({
      parents: [],
      authorName: 'Zoë "Z" O\'Neil',
      authorEmail: 'zoë@example.com',
      authoredAt: expect.stringMatching(/^2001-02-03T04:05:06(Z|\+00:00)$/),
      committedAt: expect.stringMatching(/^2001-02-03T04:05:06(Z|\+00:00)$/),
      message: 'caf\ufffd\n\nbody \x01 <mark>\n',
      changes: [],
    })
    expect(await repository.commit(id)).toEqual({ id, ...rest, changes: undefined })
  })

  it('skip a commit with a wrong clock by its own date only', async () => {
    const { directory } = await buildRepository(join(root, 'clock'), [
      { commit: 'first', date: '2020-01-01T00:00:00Z' },
      { commit: 'second', date: '2024-01-01T00:00:00Z' },
      { commit: 'wrong clock', date: '1999-01-01T00:00:00Z' },
      { commit: 'last', date: '2024-01-02T00:00:00Z' },
    ])
    await using repository = await open(directory)
    const found: string[] = []
    for await (const { message } of repository.commits!({ firstParent: true, since: '2023-01-01' }))
      found.push(message.trim())
    expect(found).toEqual(['last', 'second'])
    const odd = repository.commits!({ firstParent: true, since: 'yesterday' })
    await expect(odd.next()).rejects.toMatchObject({ code: 'invalid_date', fault: 'user' })
  })
})

describe('a monstrous diff', () => {
  it('keeps its list of files and loses its patches, and its neighbours lose nothing', async () => {
    const big = Buffer.alloc(3_000_000, 'line of a generated file\n')
    const { directory, commits } = await buildRepository(join(root, 'big'), [
      { commit: 'before', files: { 'a.txt': 'a\n' } },
      { commit: 'big', files: { 'a.txt': 'b\n', 'big.txt': big, 'z.txt': 'z\n' } },
      { commit: 'after', files: { 'a.txt': 'c\n' } },
    ])
    await using repository = await open(directory, 1_000_000)
    const found = await collect(repository)
    expect(
      found.map(({ withheld, changes }) => [withheld, changes.map((change) => [change.path, change.patch.length > 0])]),
    ).toEqual([
      [undefined, [['a.txt', true]]],
      [
        'diff_too_large',
        [
          ['a.txt', false],
          ['big.txt', false],
          ['z.txt', false],
        ],
      ],
      [undefined, [['a.txt', true]]],
    ])
    const changes = await repository.diff(commits[0]!, commits[1]!)
    expect(changes.map(({ path, kind, withheld }) => [path, kind, withheld])).toEqual([
      ['a.txt', 'modified', 'diff_too_large'],
      ['big.txt', 'added', 'diff_too_large'],
      ['z.txt', 'added', 'diff_too_large'],
    ])
  })

  it('of a message alone leaves the rest of the history readable', async () => {
    const { directory } = await buildRepository(join(root, 'message'), [
      { commit: 'before', files: { 'a.txt': 'a\n' } },
      { commit: `long (#1) ${'x'.repeat(2_000_000)}`, files: { 'a.txt': 'b\n' } },
      { commit: 'after', files: { 'a.txt': 'c\n' } },
    ])
    await using repository = await open(directory, 1_000_000)
    const found = await collect(repository)
    expect(found.map(({ withheld, message }) => [withheld, message.length])).toEqual([
      [undefined, 5],
      ['diff_too_large', expect.any(Number)],
      [undefined, 6],
    ])
  })
})

describe('a walk', () => {
  it('ends its process when the consumer stops, and when the signal says so', async () => {
    const steps = Array.from({ length: 60 }, (_, index) => ({
      commit: `${index}`,
      files: { a: Buffer.alloc(200_000, `${index}\n`) },
    }))
    const { directory } = await buildRepository(join(root, 'long'), steps, { bare: true })
    await using repository = await open(directory)
    for await (const commit of repository.commits!({ firstParent: true })) {
      expect(await childrenOf(process.pid, 'git')).toBe(1)
      expect(commit.message.trim()).toBe('59')
      break
    }
    expect(await childrenOf(process.pid, 'git')).toBe(0)
    const stop = new AbortController()
    const walk = repository.commits!({ firstParent: true, signal: stop.signal })
    await walk.next()
    stop.abort(new Error('enough'))
    await expect(drain(walk)).rejects.toThrow('enough')
    expect(await childrenOf(process.pid, 'git')).toBe(0)
    await expect(repository.diff(repository.head, repository.head, stop.signal)).rejects.toThrow('enough')
  })
})

async function drain(walk: AsyncGenerator<unknown, void>): Promise<void> {
  for await (const _ of walk);
}

async function childrenOf(parent: number, name: string): Promise<number> {
  let found = 0
  for (const entry of await readdir('/proc')) {
    const stat = /^\d+$/.test(entry) ? await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '') : ''
    const [, command, state, ppid] = /^\d+ \((.*)\) (\S) (\d+)/.exec(stat) ?? []
    if (Number(ppid) === parent && command === name && state !== 'Z') found += 1
  }
  return found
}

/** A tree cannot hold both `a` and `a/b`. */
function withoutClashes(files: Record<string, FileContent>): Record<string, FileContent> {
  const names = Object.keys(files)
  return Object.fromEntries(
    Object.entries(files).filter(([name]) => !names.some((other) => other.startsWith(`${name}/`))),
  )
}
