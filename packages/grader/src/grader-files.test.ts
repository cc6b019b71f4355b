import { execFileSync } from 'node:child_process'
import { decodeUtf8 } from '@r2e/spec'
import { expect, it } from 'vitest'
import { graderFiles, graderVersion } from './grader-files.ts'

it('ships the files of a task with their modes', async () => {
  const files = await graderFiles()
  expect(files.map(({ path, mode }) => `${mode} ${path}`)).toEqual([
    '100644 grade.py',
    '100755 test.sh',
    '100644 unittest_events.py',
  ])
})

it('has LF line ends, a shebang at byte 0 and no "set -e" [J6 F1]', async () => {
  for (const { path, content } of await graderFiles()) {
    const text = decodeUtf8(content)
    expect(text).not.toMatch(/\r|^\s*set\s.*(?:-[a-z]*e|errexit)/m)
    if (path === 'test.sh') expect(text.startsWith('#!/bin/bash\n')).toBe(true)
  }
})

it('is valid for Python 3.9 [I4]', () => {
  const folder = new URL('../files/', import.meta.url).pathname
  const program =
    'import ast, sys\nfor name in sys.argv[1:]: ast.parse(open(name).read(), name, feature_version=(3, 9))'
  execFileSync('python3', ['-c', program, `${folder}grade.py`, `${folder}unittest_events.py`])
})

it('has a version that follows its bytes [F17]', async () => {
  expect(await graderVersion()).toMatch(/^sha256:[0-9a-f]{64}$/)
})
