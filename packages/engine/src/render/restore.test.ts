import { decodeUtf8, type Edit, encodeUtf8, type FileRole, type LanguagePack, sha256Hex } from '@r2e/spec'
import { describe, expect, it } from 'vitest'
import { matchesName } from './purge-rule.ts'
import { type RestoreInput, restoreFiles } from './restore.ts'

const pack = {
  detect: (paths: readonly string[]) => paths.filter((path) => path.endsWith('.py')).length,
  runnerFiles: ['pytest.ini', 'tox.ini'],
  purge: { names: ['conftest.py', 'test_*.py'], folders: [], skip: ['node_modules'] },
} as unknown as LanguagePack

const role = (path: string): FileRole => {
  if (path.startsWith('docs/')) return 'docs'
  return /(^|\/)tests\/|(^|\/)test_[^/]*\.py$/.test(path) ? 'test' : 'source'
}
const write = (path: string, text = path, mode: '100644' | '120000' = '100644'): Edit => ({
  kind: 'write',
  path,
  mode,
  content: encodeUtf8(text),
})

function input(base: Record<string, string>, changes: Partial<RestoreInput> = {}): RestoreInput {
  return {
    baseEntries: Object.entries(base).map(([path, text]) => ({ path, mode: '100644', size: text.length })),
    solvedEdits: [],
    hidden: [],
    packs: [pack],
    role,
    read: async (paths) => new Map(paths.map((path) => [path, encodeUtf8(base[path]!)])),
    ...changes,
  }
}

describe('restoreFiles', () => {
  it('holds hidden files, test files, their data, and runner files as the solved tree has them [F3 W8]', async () => {
    const { restore, files } = await restoreFiles(
      input(
        {
          'app.py': 'app',
          'pytest.ini': 'old',
          'tests/data.json': '{}',
          'tests/test_a.py': 'a',
          'tests/test_b.py': 'b',
          'docs/conftest.py': 'docs',
        },
        {
          solvedEdits: [write('pytest.ini', 'new'), write('app.py', 'fixed')],
          hidden: [write('tests/test_a.py', 'A')],
        },
      ),
    )
    const texts = Object.fromEntries(
      restore.files.map((row) => [row.path, decodeUtf8(files.find((file) => file.path === row.from)!.content)]),
    )
    expect(texts).toEqual({
      'docs/conftest.py': 'docs',
      'pytest.ini': 'new',
      'tests/data.json': '{}',
      'tests/test_a.py': 'A',
      'tests/test_b.py': 'b',
    })
    expect(restore.purge).toEqual({
      names: ['conftest.py', 'test_*.py'],
      folders: ['tests'],
      skip: ['.git', 'node_modules'],
    })
  })

  it('deletes what the hidden change or the solution removed, once, and nothing of the agent [F3]', async () => {
    const base = { 'app.py': '', 'old.py': '', 'tests/test_old.py': '', 'tests/test_moved.py': '', 'tox.ini': '' }
    const gone = ['old.py', 'tox.ini', 'tests/test_old.py'].map((path) => ({ kind: 'delete', path }) as const)
    const hidden = [{ kind: 'delete', path: 'tests/test_moved.py' } as const, write('tests/test_new.py')]
    const { restore } = await restoreFiles(input(base, { solvedEdits: gone, hidden }))
    expect(restore.delete).toEqual(['tests/test_moved.py', 'tests/test_old.py', 'tox.ini'])
    expect(restore.files.map((row) => row.path)).toEqual(['tests/test_new.py'])
  })

  it('never purges a folder where a new file would be source', async () => {
    const { restore } = await restoreFiles(input({ 'pkg/test_only.py': '', 'tests/sub/test_x.py': '', 'a.py': '' }))
    expect(restore.purge.folders).toEqual(['tests'])
  })

  it('leaves the largest data to the tree, known by its digest, with the folder that holds it', async () => {
    const base = {
      'tests/big.bin': 'x'.repeat(100),
      'tests/golden.txt': 'small',
      'tests/test_a.py': 'a',
      'other/tests/test_b.py': 'b',
    }
    const { restore } = await restoreFiles(input(base, { dataLimit: 50 }))
    expect(restore.files.map((row) => row.path)).toEqual([
      'other/tests/test_b.py',
      'tests/golden.txt',
      'tests/test_a.py',
    ])
    expect(restore.left).toEqual([{ path: 'tests/big.bin', sha256: sha256Hex(encodeUtf8('x'.repeat(100))) }])
    expect(restore.purge.folders).toEqual(['other/tests'])
  })

  it('names no copy so that packaging leaves it out', async () => {
    const hidden = ['tests/a.pyc', 'tests/b.swp', 'tests/c~'].map((path) => write(path))
    const { files } = await restoreFiles(input({}, { hidden }))
    expect(files.filter(({ path }) => !path.endsWith('.copy'))).toEqual([])
  })

  it('stores links and odd names as plain files that no tool gives a meaning to', async () => {
    const hidden = [
      write('tests/.harborignore', '*'),
      write('tests/out', '../../../etc', '120000'),
      write('tests/é~', ''),
    ]
    const { files, restore } = await restoreFiles(input({}, { hidden }))
    expect(files.every((file) => file.mode === '100644' && /^[0-9a-f]{16}-[\w.-]+$/.test(file.path))).toBe(true)
    expect(restore.files.map((row) => row.mode)).toEqual(['100644', '120000', '100644'])
  })

  it('ignores hidden paths that leave the tree or lie in .git', async () => {
    const { restore } = await restoreFiles(input({}, { hidden: [write('../test_x.py'), write('tests/.git/config')] }))
    expect(restore.files).toEqual([])
  })
})

describe('matchesName', () => {
  it('takes * for any run and ? for one character', () => {
    const cases: [string, string, boolean][] = [
      ['*_test.go', 'a_test.go', true],
      ['*_test.go', '_test.go', true],
      ['*_test.go', 'a_test.go.txt', false],
      ['test_*.py', 'test_.py', true],
      ['test_*.py', 'test.py', false],
      ['a*b*c', 'abcbc', true],
      ['a?c', 'abc', true],
      ['a?c', 'ac', false],
      ['*.ini', '.ini', true],
      ['conftest.py', 'conftest_py', false],
    ]
    for (const [pattern, name, matches] of cases)
      expect([pattern, name, matchesName(pattern, name)]).toEqual([pattern, name, matches])
  })
})

describe('test code inside source files', () => {
  /** Lines that begin with `test` are test code. */
  const lined = {
    ...pack,
    name: 'lined',
    inlineTests: (_path: string, text: string) =>
      [...text.matchAll(/^test.*$/gm)].map(({ index, 0: line }) => ({
        start: index,
        end: index + line.length,
        key: line,
      })),
  } as unknown as LanguagePack
  const inlineOf = async (base: Record<string, string>, changes: Partial<RestoreInput>) => {
    const { restore, files } = await restoreFiles(input(base, { packs: [lined], ...changes }))
    const text = (from: string) => decodeUtf8(files.find((file) => file.path === from)!.content)
    return (
      restore.inline && { ...restore.inline, files: restore.inline.files.map(({ path, from }) => [path, text(from)]) }
    )
  }

  it('is the solved one of every source file that has any, and the hidden one where it is changed [F3]', async () => {
    const base = {
      'a.py': 'code\ntest a\n',
      'b.py': 'code\ntest b\n',
      'c.py': 'code\n',
      'tests/test_a.py': 'test t\n',
      'x.txt': 'test x\n',
    }
    const found = await inlineOf(base, {
      solvedEdits: [write('a.py', 'fixed\ntest a\n'), write('new.py', 'code\n')],
      hidden: [
        { kind: 'inline', path: 'a.py', content: encodeUtf8('test A\n') },
        { kind: 'inline', path: 'new.py', content: encodeUtf8('test new\n') },
      ],
    })
    expect(found).toEqual({
      language: 'lined',
      files: [
        ['a.py', 'test A\n'],
        ['b.py', 'test b\n'],
        ['new.py', 'test new\n'],
      ],
    })
  })

  it('is none where the hidden change removes it, and no plan where the language keeps none there', async () => {
    const hidden = [{ kind: 'inline' as const, path: 'a.py', content: encodeUtf8('') }]
    expect(await inlineOf({ 'a.py': 'code\ntest a\n' }, { hidden })).toEqual({ language: 'lined', files: [] })
    expect((await restoreFiles(input({ 'a.py': 'test a\n' }))).restore.inline).toBeUndefined()
  })
})
