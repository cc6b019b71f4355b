import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { encodeUtf8, type FileMode, pathFromBytes, pathToBytes } from '@r2e/spec'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { wholeFilePatch } from './whole-file-patch.ts'

const root = mkdtempSync(join(tmpdir(), 'r2e-patch-'))
afterAll(() => rmSync(root, { recursive: true }))

const apply = (patch: Uint8Array) =>
  execFileSync('git', ['apply', '--binary', '--whitespace=nowarn', '-'], {
    cwd: root,
    input: patch,
    env: { PATH: process.env.PATH, GIT_CEILING_DIRECTORIES: tmpdir() },
  })
const onDisk = (path: string) => Buffer.concat([Buffer.from(`${root}/`), pathToBytes(path)])

const contents = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc
    .constantFrom('', '\n', 'no end', 'a\r\nb\r\n', 'a\n\nb', '\0binary\n\0', '-- a\n+++ b\n@@ -1 +1 @@\n')
    .map(encodeUtf8),
)
const names = fc.constantFrom(
  'a.txt',
  'with blank.txt',
  'dir/ä "q"\\.txt',
  'tab\there',
  pathFromBytes(Uint8Array.of(0x66, 0xff, 0x2e)),
  ' lead',
  'new\nline',
)

describe('wholeFilePatch', () => {
  it('adds and removes any bytes under any name, exactly [J2 G01 G07]', () => {
    fc.assert(
      fc.property(contents, names, fc.constantFrom<FileMode>('100644', '100755'), (content, path, mode) => {
        const file = { path, mode, content, blob: '1'.repeat(40) }
        apply(wholeFilePatch('added', file))
        expect(Buffer.compare(readFileSync(onDisk(path)), content)).toBe(0)
        expect((statSync(onDisk(path)).mode & 0o100) !== 0).toBe(mode === '100755')
        apply(wholeFilePatch('deleted', file))
        expect(existsSync(onDisk(path))).toBe(false)
      }),
      { numRuns: 60 },
    )
  })

  it('writes what git writes', () => {
    const directory = join(root, 'repository')
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', '-C', directory, ...args])
    mkdirSync(directory)
    git('init', '-q')
    for (const [path, content] of [
      ['a b.txt', 'one\ntwo'],
      ['c/ü.txt', 'x\n'],
      ['e', ''],
    ] as const) {
      mkdirSync(dirname(join(directory, path)), { recursive: true })
      writeFileSync(join(directory, path), content)
      git('add', '-A')
      const patch = git('diff', '--cached', '--binary', '--full-index', '--', path)
      const blob = /\.\.([0-9a-f]{40})/.exec(patch.toString())![1]!
      const file = { path, mode: '100644' as const, content: encodeUtf8(content), blob }
      expect(Buffer.from(wholeFilePatch('added', file)).toString()).toBe(patch.toString())
      git('commit', '-q', '-m', 'x')
    }
  })
})
