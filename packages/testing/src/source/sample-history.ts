import { pathFromBytes } from '@r2e/spec'
import type { RepositoryStep } from '../repository/repository-step.ts'

const bytes = (...values: number[]) => Uint8Array.from(values)

/** Not UTF-8, with a newline, quotes, a tab and blanks at the end. */
export const ODD_PATH = pathFromBytes(Buffer.from('dir\xff/a\n"b"\t\\ ', 'latin1'))
export const SUBMODULE_COMMIT = '1234567890123456789012345678901234567890'
const numbered = Array.from({ length: 40 }, (_, index) => `line ${index}`)

/** What the indexes of the commits below mean. */
export const COMMITS = { root: 0, sideTip: 2, afterSide: 3, merge: 4, squash: 8, head: 8 } as const

/** A history with every kind of change that git knows. */
export const SAMPLE_HISTORY: readonly RepositoryStep[] = [
  {
    commit: 'Start',
    files: {
      'README.md': 'hello\n',
      'src/a b.py': `${numbered.join('\n')}\n`,
      'crlf.txt': 'one\r\ntwo\r\n',
      'bare.txt': 'no newline at the end',
      'empty.txt': '',
      '.gitattributes': '* text=auto eol=lf working-tree-encoding=UTF-16 -diff\n*.py diff=python filter=lfs ident\n',
      'logo.png': bytes(0x89, 0x50, 0, 0xff, 0x0a, 0x0d, 0),
      'latin.txt': bytes(0x63, 0x61, 0x66, 0xe9, 0x0a),
      'run.sh': { content: '#!/bin/sh\n', mode: '100755' },
      link: { link: 'src/a b.py' },
      vendor: { submodule: SUBMODULE_COMMIT },
      [ODD_PATH]: 'odd\n',
    },
  },
  { tag: 'v0.9' },
  { branch: 'side' },
  { commit: 'Add a feature', files: { 'side.py': 'x = 1\n' }, author: { name: 'Sid', email: 'sid@example.com' } },
  {
    commit: 'Test the feature',
    files: { 'side_test.py': 'assert True\n' },
    author: { name: 'Sid', email: 'sid@example.com' },
  },
  { ref: 'refs/pull/7/head' },
  { branch: 'main' },
  { commit: 'Move on', files: { 'README.md': 'hello again\n' } },
  { merge: 'side', message: 'Merge pull request #7 from sid/side\n\nAdd the feature\n\nIt was missing.' },
  { tag: 'v1.0', annotation: 'one' },
  {
    commit: 'Rename with edits, change modes and types',
    rename: { 'src/a b.py': 'lib/ü "c".py', 'run.sh': 'tools/run' },
    files: {
      'lib/ü "c".py': `${numbered.with(3, 'changed').join('\n')}\n`,
      'tools/run': { content: '#!/bin/sh\n', mode: '100644' },
      link: 'a file now\n',
      'empty.txt': { link: 'README.md' },
      vendor: 'vendored\n',
      'logo.png': bytes(0x89, 0x50, 0, 0xfe),
    },
  },
  {
    commit: 'Lines that look like headers',
    files: {
      'crlf.txt': 'one\ntwo\r\n\\ No newline at end of file\n',
      'patch.txt': 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b',
      'bare.txt': 'no newline at the end\n',
      [ODD_PATH]: bytes(0x6f, 0xff, 0x0d, 0x0a),
    },
    delete: ['latin.txt'],
  },
  { commit: 'Nothing at all' },
  {
    commit: 'Fix the feature (#9)\n\nIt was wrong.',
    files: { 'side.py': 'x = 2\n', 'patch.txt': 'diff --git a/y b/y\n' },
  },
]
