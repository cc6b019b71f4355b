import { execFileSync } from 'node:child_process'
import { lstatSync, mkdtempSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FileEntry, pathFromBytes, pathToBytes } from '@r2e/spec'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packTar, tarEntries } from './tar.ts'

const bytes = (text: string): Uint8Array => Buffer.from(text)
const deep = `${'long-folder-name/'.repeat(12)}file`
const binary = pathFromBytes(Buffer.from('odd\xff\xfename', 'latin1'))
const files: FileEntry[] = [
  { path: 'z', mode: '100644', content: bytes('') },
  { path: 'a/b/run.sh', mode: '100755', content: bytes('#!/bin/sh\n') },
  { path: 'a/link', mode: '120000', content: bytes('b/run.sh') },
  { path: 'a/long-link', mode: '120000', content: bytes(`x${'/y'.repeat(80)}`) },
  { path: deep, mode: '100644', content: Buffer.alloc(1000, 7) },
  { path: binary, mode: '100644', content: bytes('1') },
  { path: ' "q\'\n*$(x)', mode: '100644', content: bytes('2') },
  { path: `${'ü'.repeat(60)}`, mode: '100644', content: bytes('3') },
  { path: '-C', mode: '100644', content: Buffer.alloc(512, 9) },
]

describe('packTar', () => {
  let folder = ''
  const under = (path: string): Buffer => Buffer.concat([Buffer.from(`${folder}/`), pathToBytes(path)])

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'r2e-tar-'))
    execFileSync('tar', ['-x', '-C', folder], { input: Buffer.concat([...packTar(tarEntries(files))]) })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('writes what tar(1) reads back byte for byte: long, quoted, newline and non-UTF-8 names, modes, links', () => {
    for (const file of files) {
      const path = under(file.path)
      if (file.mode === '120000') expect(readlinkSync(path)).toBe(Buffer.from(file.content).toString())
      else expect(readFileSync(path)).toEqual(Buffer.from(file.content))
      if (file.mode !== '120000') expect(lstatSync(path).mode & 0o777).toBe(file.mode === '100755' ? 0o755 : 0o644)
    }
    expect(lstatSync(under('a/b')).mode & 0o777).toBe(0o755)
  })

  it('gives equal bytes for equal files in any order', () => {
    const one = Buffer.concat([...packTar(tarEntries(files))])
    const other = Buffer.concat([...packTar(tarEntries(files.toReversed()))])
    expect(other.equals(one)).toBe(true)
  })

  it('refuses a path that leaves its folder', () => {
    for (const path of ['../x', '/x', 'a/../../x', 'a//b', '', 'a/./b', 'a\0b', 'a/'])
      expect(() => tarEntries([{ path, mode: '100644', content: bytes('') }])).toThrow(/not a plain relative path/)
  })
})
