import { execFileSync } from 'node:child_process'
import { lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { encodeUtf8, type FileEntry, type FileMode, type Tree } from '@r2e/spec'
import { buildRepository, runGit } from '@r2e/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ODD_PATH, treeOf } from './__fixtures__/tree-of.ts'
import { readTar } from './read-tar.ts'
import { openScratchRepository } from './scratch-repository.ts'
import { snapshotTree } from './snapshot.ts'

const LONG = `${'deep/'.repeat(30)}${'n'.repeat(120)}.txt`
const root = mkdtempSync(join(tmpdir(), 'r2e-snapshot-test-'))
const repository = join(root, 'repository')
let tree: Tree
afterAll(() => rmSync(root, { recursive: true, force: true }))

beforeAll(async () => {
  const { commits } = await buildRepository(repository, [
    {
      commit: 'base',
      files: {
        '.gitattributes': '* text=auto export-ignore ident\n*.py diff=python\n',
        '.gitignore': 'ignored.txt\n',
        'a.b/one': '1\n',
        'a/two': '2\n',
        'a-c': 'dash\n',
        'crlf.txt': 'one\r\ntwo\r\n',
        'data.bin': Uint8Array.of(0, 1, 255, 0),
        'empty.txt': '',
        'ignored.txt': 'tracked all the same\n',
        'with "quote" and\ttab\nline.txt': 'odd\n',
        [ODD_PATH]: 'bytes\n',
        [LONG]: 'long\n',
        'run.sh': { content: '#!/bin/sh\n', mode: '100755' },
        'ident.c': '/* $Id$ */\n',
        link: { link: `${'../'.repeat(60)}target` },
        vendor: { submodule: '1'.repeat(40) },
      },
    },
  ])
  tree = treeOf(repository, commits[0]!)
})

describe('snapshotTree', () => {
  it('keeps every byte of every path, mode and content, whatever the attributes say [E1 W1]', async () => {
    const { archive } = await snapshotTree(tree, [])
    const contents = await tree.readAll((await tree.entries()).map((entry) => entry.path))
    const expected = (await tree.entries()).map(({ path, mode }) => ({ path, mode, content: contents.get(path)! }))
    expect(readTar(gunzipSync(archive)).map(flat)).toEqual(expected.map(flat))
  })

  it('has the tree id that git gives, apart from submodules', async () => {
    const snapshot = await snapshotTree(tree, [])
    await runGit(repository, 'rm', '--cached', '-q', 'vendor')
    expect(snapshot.tree).toBe(await runGit(repository, 'write-tree'))
    await using scratch = await openScratchRepository(snapshot.archive)
    expect(scratch.tree).toBe(snapshot.tree)
  })

  it('unpacks with tar: links, empty submodule folders, executable files, a date after 1980', async () => {
    const { archive } = await snapshotTree(tree, [])
    const folder = mkdtempSync(join(root, 'out-'))
    writeFileSync(join(root, 'base.tar.gz'), archive)
    execFileSync('tar', ['-xzf', join(root, 'base.tar.gz'), '-C', folder, '--no-same-owner'])
    expect(readdirSync(join(folder, 'vendor'))).toEqual([])
    expect(readlinkSync(join(folder, 'link'))).toBe(`${'../'.repeat(60)}target`)
    expect(lstatSync(join(folder, 'run.sh')).mode & 0o777).toBe(0o755)
    expect(lstatSync(join(folder, 'crlf.txt')).mtime.toISOString()).toBe('2000-01-01T00:00:00.000Z')
    expect(readFileSync(join(folder, LONG), 'utf8')).toBe('long\n')
    expect(readdirSync(folder, 'buffer').some((name) => name.includes(0xff))).toBe(true)
  })

  it('commits setup edits into the tree, also where a file becomes a folder [E10]', async () => {
    const write = (path: string) => ({ kind: 'write', path, mode: '100644', content: encodeUtf8('new\n') }) as const
    const snapshot = await snapshotTree(tree, [write('a-c/inner'), write('a'), { kind: 'delete', path: 'crlf.txt' }])
    const paths = snapshot.entries.map((entry) => entry.path)
    expect(paths).toEqual(expect.arrayContaining(['a', 'a-c/inner']))
    for (const gone of ['a/two', 'a-c', 'crlf.txt']) expect(paths).not.toContain(gone)
  })

  it('gives equal bytes twice [W22]', async () => {
    const [one, two] = [await snapshotTree(tree, []), await snapshotTree(tree, [])]
    expect(one.digest).toBe(two.digest)
  })

  it('leaves out paths that git would not check out, and says so', async () => {
    const snapshot = await snapshotTree(hostileTree([file('sub/.GIT/config')], ['../outside']), [])
    expect(snapshot.omitted).toEqual(['sub/.GIT/config'])
    expect(readTar(gunzipSync(snapshot.archive))).toEqual([])
  })

  it('leaves out what no file system holds, so that every archive unpacks [E1]', async () => {
    const misfits = [
      file('a/below-a-file'),
      file('link/below-a-link'),
      file(`${'deep/'.repeat(1000)}end`),
      file('n'.repeat(256)),
      ...['', 'to\0nul', 'far/'.repeat(1100)].map((target, i) => ({
        ...file(`link-${i}`, target),
        mode: '120000' as const,
      })),
    ]
    const good = [file('a'), { ...file('link', '/etc'), mode: '120000' as const }, file(LONG)]
    const snapshot = await snapshotTree(hostileTree([...good, ...misfits], ['a', 'a/b', 'link/c', 'sub']), [])
    expect(snapshot.omitted).toEqual(misfits.map(({ path }) => path))
    const folder = mkdtempSync(join(root, 'out-'))
    execFileSync('tar', ['-xzf', '-', '-C', folder], { input: snapshot.archive })
    expect(readdirSync(folder).sort()).toEqual(['a', 'deep', 'link', 'sub'])
  })
})

const file = (path: string, text = 'x') => ({ path, mode: '100644' as FileMode, content: encodeUtf8(text) })

function hostileTree(files: readonly FileEntry[], submodules: readonly string[]): Tree {
  return {
    ...tree,
    entries: async () => files.map(({ path, mode }) => ({ path, mode, blob: '', size: 1 })),
    submodules: async () => submodules,
    readAll: async () => new Map(files.map(({ path, content }) => [path, content])),
  }
}

function flat({ path, mode, content }: { path: string; mode: string; content: Uint8Array }): string {
  return `${mode} ${JSON.stringify(path)} ${Buffer.from(content).toString('latin1')}`
}
