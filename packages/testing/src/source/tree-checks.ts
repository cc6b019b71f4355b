import assert from 'node:assert/strict'
import { COMMITS, ODD_PATH } from './sample-history.ts'
import type { FixtureCheck } from './source-suite.ts'

export const treeChecks: readonly FixtureCheck[] = [
  {
    title: 'lists every file of a tree with its mode and size, submodules apart',
    async run({ built, repository }) {
      const tree = await repository.tree(built.commits[COMMITS.root]!)
      const entries = (await tree.entries()).map(({ path, mode, size }) => `${mode} ${size} ${path}`)
      assert.deepEqual(entries, [
        '100644 88 .gitattributes',
        '100644 6 README.md',
        '100644 21 bare.txt',
        '100644 10 crlf.txt',
        `100644 4 ${ODD_PATH}`,
        '100644 0 empty.txt',
        '100644 5 latin.txt',
        '120000 10 link',
        '100644 7 logo.png',
        '100755 10 run.sh',
        '100644 310 src/a b.py',
      ])
      assert.deepEqual(await tree.submodules(), ['vendor'])
    },
  },
  {
    title: 'reads the bytes of files and the targets of links, and nothing for folders, submodules and absent paths',
    async run({ built, repository }) {
      const tree = await repository.tree(built.commits[COMMITS.root]!)
      const text = async (path: string) => {
        const content = await tree.read(path)
        return content && Buffer.from(content).toString('latin1')
      }
      assert.equal(await text('logo.png'), '\x89P\0\xff\n\r\0')
      assert.equal(await text('crlf.txt'), 'one\r\ntwo\r\n')
      assert.equal(await text('latin.txt'), 'caf\xe9\n')
      assert.equal(await text('link'), 'src/a b.py')
      assert.equal(await text('empty.txt'), '')
      assert.equal(await text(ODD_PATH), 'odd\n')
      for (const absent of [
        'src',
        'src/',
        'vendor',
        'none',
        '',
        '.',
        '../x',
        './README.md',
        '/README.md',
        'a\nb',
        'a\0b',
      ])
        assert.equal(await text(absent), undefined, JSON.stringify(absent))
    },
  },
  {
    title: 'reads many files at once, the absent ones left out',
    async run({ built, repository }) {
      const tree = await repository.tree(built.commits[COMMITS.head]!)
      const contents = await tree.readAll(['README.md', 'none', 'side.py', ODD_PATH])
      assert.deepEqual([...contents.keys()].sort(), ['README.md', 'side.py', ODD_PATH].sort())
      assert.equal(Buffer.from(contents.get(ODD_PATH)!).toString('latin1'), 'o\xff\r\n')
    },
  },
  {
    title: 'finds the newest tag that a commit contains',
    async run({ built, repository }) {
      assert.equal(await repository.newestTag(built.commits[COMMITS.afterSide]!), 'v0.9')
      assert.equal(await repository.newestTag(built.commits[COMMITS.head]!), 'v1.0')
    },
  },
]
