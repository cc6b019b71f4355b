import { execFileSync } from 'node:child_process'
import { decodeUtf8, REPORT_FORMATS } from '@r2e/spec'
import { describe, expect, it } from 'vitest'
import { type GraderNeeds, graderFiles, graderFilesFor, graderVersion } from './grader-files.ts'

describe('the files of a task', () => {
  const names = async (needs: GraderNeeds | undefined) =>
    graderFilesFor(await graderFiles(), needs).map(({ path, mode }) => `${mode} ${path}`)

  const plain = (path: string) => `100644 ${path}`

  it('are the entry alone where it runs no tests', async () => {
    expect(await names(undefined)).toEqual(['100644 grade.py', '100644 report.py', '100755 test.sh'])
  })

  it('are those of its format and its reporters else', async () => {
    expect(await names({ format: 'events-jsonl', reporters: ['unittest_events.py'] })).toEqual([
      '100644 formats/events_jsonl.py',
      '100644 grade.py',
      '100644 report.py',
      '100644 reporters/unittest_events.py',
      '100755 test.sh',
    ])
    expect(await names({ format: 'junit-pytest', reporters: [] })).toContain('100644 formats/junit.py')
    expect(await names({ format: 'events-jsonl', reporters: [], parses: ['gtest-json', 'junit-ctest'] })).toEqual(
      expect.arrayContaining(['formats/gtest_json.py', 'formats/junit_ctest.py', 'formats/junit.py'].map(plain)),
    )
  })

  it('hold what finds tests inside sources only for the language that keeps them there', async () => {
    const inline = async (language: string | undefined) =>
      (await names({ format: 'go-json', reporters: [], inline: language })).filter((name) => name.includes('inline'))
    expect(await inline('rust')).toEqual(['100644 inline/rust.py'])
    expect(await inline(undefined)).toEqual([])
  })

  it('hold a parser for every format', async () => {
    for (const format of REPORT_FORMATS)
      expect(await names({ format, reporters: [] })).toContain(`100644 formats/${format.replaceAll('-', '_')}.py`)
  })
})

it('has LF line ends, a shebang at byte 0 and no "set -e" [J6 F1]', async () => {
  for (const { path, content } of await graderFiles()) {
    const text = decodeUtf8(content)
    expect(text).not.toMatch(/\r|^\s*set\s.*(?:-[a-z]*e|errexit)/m)
    if (path === 'test.sh') expect(text.startsWith('#!/bin/bash\n')).toBe(true)
  }
})

it('is valid for Python 3.9 [I4]', async () => {
  const folder = new URL('../files/', import.meta.url).pathname
  const names = (await graderFiles()).map(({ path }) => path).filter((path) => path.endsWith('.py'))
  const program =
    'import ast, sys\nfor name in sys.argv[1:]: ast.parse(open(name).read(), name, feature_version=(3, 9))'
  execFileSync('python3', ['-c', program, ...names.map((name) => folder + name)])
})

it('has a version that follows its bytes [F17]', async () => {
  expect(await graderVersion()).toMatch(/^sha256:[0-9a-f]{64}$/)
})
