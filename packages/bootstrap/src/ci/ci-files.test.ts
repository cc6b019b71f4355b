import { encodeUtf8, type Tree } from '@r2e/spec'
import { describe, expect, it } from 'vitest'
import { rememberCiFacts } from './ci-facts.ts'
import { ciFileEntries, ciFileKind } from './ci-files.ts'

const kinds: readonly [path: string, kind: string | undefined][] = [
  ['.github/workflows/ci.yml', 'workflow'],
  ['.github/workflows/deep/ci.yml', undefined],
  ['.github/actions/setup/action.yml', 'action'],
  ['.gitlab-ci.yml', 'gitlab'],
  ['.devcontainer/devcontainer.json', 'devcontainer'],
  ['Dockerfile', 'dockerfile'],
  ['Dockerfile.test', 'dockerfile'],
  ['docker/dev/Dockerfile', 'dockerfile'],
  ['examples/web/Dockerfile', undefined],
  ['Dockerfile.prod', undefined],
  ['Makefile', 'makefile'],
  ['ci/install.sh', 'script'],
  ['script/test', 'script'],
  ['run.sh', 'script'],
  ['src/a.c', undefined],
  ['vendor/lib/ci/install.sh', undefined],
]

function treeOf(sizes: Readonly<Record<string, number>>, reads: string[] = [], mode = '100644'): Tree {
  const entries = Object.entries(sizes).map(([path, size]) => ({ path, mode, blob: `${path}${size}`, size }))
  const readAll = async (paths: readonly string[]) => {
    reads.push(...paths)
    return new Map(paths.map((path) => [path, encodeUtf8('')]))
  }
  return { entries: async () => entries, readAll } as unknown as Tree
}

describe('the files that say how a tree is tested', () => {
  for (const [path, kind] of kinds) it(`${path}: ${kind}`, () => expect(ciFileKind(path)).toBe(kind))

  const paths = async (tree: Tree) => (await ciFileEntries(tree)).map(({ path }) => path)

  it('are no links and none of a size that nobody writes', async () => {
    expect(await paths(treeOf({ Dockerfile: 100_000, Makefile: 10, '.gitlab-ci.yml': 10 }))).toEqual([
      '.gitlab-ci.yml',
      'Makefile',
    ])
    expect(await paths(treeOf({ Makefile: 10 }, [], '120000'))).toEqual([])
  })

  it('are bounded in number and size', async () => {
    const named = (size: number) =>
      Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`.github/workflows/${at}.yml`, size]))
    expect(await paths(treeOf(named(10)))).toHaveLength(40)
    expect(await paths(treeOf(named(60_000)))).toHaveLength(17)
  })

  it('are read once for trees that have them alike', async () => {
    const reads: string[] = []
    const read = rememberCiFacts()
    const first = await read(treeOf({ Makefile: 10, 'a.py': 1 }, reads))
    expect(await read(treeOf({ Makefile: 10, 'a.py': 2 }, reads))).toBe(first)
    expect(await read(treeOf({ Makefile: 11 }, reads))).not.toBe(first)
    expect(reads).toEqual(['Makefile', 'Makefile'])
  })
})
