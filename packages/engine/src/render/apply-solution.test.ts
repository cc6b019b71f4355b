import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeUtf8, encodeUtf8 } from '@r2e/spec'
import { buildRepository, runGit, runGitBytes } from '@r2e/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { ODD_PATH, treeOf } from './__fixtures__/tree-of.ts'
import { applySolution } from './apply-solution.ts'
import { DIFF_ARGUMENTS, SNAPSHOT_ATTRIBUTES } from './diff-arguments.ts'
import { snapshotTree } from './snapshot.ts'

const root = mkdtempSync(join(tmpdir(), 'r2e-solution-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const { directory, commits } = await buildRepository(join(root, 'repository'), [
  {
    commit: 'base',
    files: {
      '.gitattributes': '*.py diff=python -text\n*.txt binary\n*.csv text\n',
      'app.py': 'def one():\n    return 1\n\n\ndef two():\n    return 2\n',
      'notes.txt': 'a\r\nb\r\n',
      'rows.csv': '1\r\n2\r\n',
      'old name.py': 'x = 1\n',
      [ODD_PATH]: 'bytes',
      link: { link: 'app.py' },
    },
  },
  {
    commit: 'solved',
    files: {
      'app.py': 'def one():\n    return 1\n\n\ndef two():\n    return 3\n',
      'notes.txt': 'a\r\nc\r\n',
      'rows.csv': '1\r\n3\r\n',
      'blob.bin': Uint8Array.of(0, 9, 0, 200),
      [ODD_PATH]: 'bytes\n',
      link: { link: 'new.py' },
      'app.sh': { content: 'true\n', mode: '100755' },
    },
    rename: { 'old name.py': 'new.py' },
  },
])
const snapshot = await snapshotTree(treeOf(directory, commits[0]!), [])
const patch = await runGitBytes({ directory }, 'diff', '--binary', '--full-index', commits[0]!, commits[1]!)

describe('applySolution', () => {
  it('answers whole-file edits of every kind of change', async () => {
    const applied = await applySolution(snapshot, patch)
    if (!applied.ok) throw new Error(applied.reason)
    const solved = await snapshotTree(treeOf(directory, commits[0]!), applied.edits)
    expect(solved.tree).toBe(await runGit(directory, 'rev-parse', `${commits[1]}^{tree}`))
  })

  it('prints the same diff as the work tree does after the patch, whatever attributes say [F4 J2]', async () => {
    const applied = await applySolution(snapshot, patch)
    if (!applied.ok) throw new Error(applied.reason)
    const work = join(root, 'work')
    await runGit(root, 'clone', '-q', '--no-checkout', directory, work)
    writeFileSync(join(work, '.git/info/attributes'), `${SNAPSHOT_ATTRIBUTES}\n`)
    await runGit(work, 'checkout', '-q', commits[0]!)
    await runGitBytes({ directory: work, input: patch }, 'apply', '--binary', '--whitespace=nowarn', '-')
    await runGit(work, 'add', '-A')
    await runGit(work, 'config', 'diff.noprefix', 'true')
    const diff = await runGitBytes({ directory: work }, ...DIFF_ARGUMENTS, snapshot.tree)
    expect(Buffer.compare(diff, applied.diff)).toBe(0)
    expect(decodeUtf8(applied.diff)).toContain('-b\r\n+c\r\n')
  })

  it('applies whole or not at all: a patch that does not fit is data [W10 W23]', async () => {
    const stale = encodeUtf8('diff --git a/app.py b/app.py\n--- a/app.py\n+++ b/app.py\n@@ -1 +1 @@\n-nope\n+x\n')
    expect(await applySolution(snapshot, stale)).toMatchObject({ ok: false, reason: expect.stringContaining('app.py') })
  })

  it('refuses a patch that leaves the tree', async () => {
    const outside = 'diff --git a/../x b/../x\nnew file mode 100644\n--- /dev/null\n+++ b/../x\n@@ -0,0 +1 @@\n+x\n'
    expect(await applySolution(snapshot, encodeUtf8(outside))).toMatchObject({ ok: false })
  })
})
