import { type Edit, encodeUtf8, type Tree } from '@r2e/spec'
import { describe, expect, it } from 'vitest'
import { ignoredFile } from './ignored-file.ts'

const write = (path: string, text = ''): Edit => ({
  kind: 'write',
  path,
  mode: '100644',
  content: encodeUtf8(text),
})

describe('ignoredFile', () => {
  const tree = treeOf({ '.gitignore': 'build/\n*.log\n', 'sub/.gitignore': '!keep.log\n', 'build/tracked.c': '' })

  it('finds a new file that git add would leave out', async () => {
    expect(await ignoredFile(tree, [write('a.c'), write('build/new.c')])).toBe('build/new.c')
    expect(await ignoredFile(tree, [write('sub/x.log')])).toBe('sub/x.log')
  })

  it('lets tracked files, deletions and what an inner file brings back pass', async () => {
    const gone: Edit = { kind: 'delete', path: 'build/other.c' }
    expect(await ignoredFile(tree, [write('build/tracked.c', 'x'), gone, write('sub/keep.log')])).toBeUndefined()
  })

  it('goes by the ignore files as the change leaves them', async () => {
    expect(await ignoredFile(tree, [write('x.log'), write('.gitignore', 'build/\n')])).toBeUndefined()
    expect(await ignoredFile(tree, [write('x.tmp'), write('.gitignore', '*.tmp\n')])).toBe('x.tmp')
  })
})

function treeOf(files: Readonly<Record<string, string>>): Tree {
  const entries = Object.entries(files).map(([path, text]) => ({
    path,
    mode: '100644' as const,
    blob: '',
    size: text.length,
  }))
  return {
    commit: 'c',
    entries: async () => entries,
    submodules: async () => [],
    read: async (path) => encodeUtf8(files[path]!),
    readAll: async (paths) => new Map(paths.map((path) => [path, encodeUtf8(files[path]!)])),
  }
}
