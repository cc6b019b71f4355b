import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, describe, expect, it } from 'vitest'
import { packTar, tarEntries } from './tar.ts'
import { readSingleFile } from './untar.ts'

const folder = mkdtempSync(join(tmpdir(), 'r2e-untar-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function chunks(archive: Uint8Array, size: number): Readable {
  const parts: Uint8Array[] = []
  for (let at = 0; at < archive.length; at += size) parts.push(archive.subarray(at, at + size))
  return Readable.from(parts)
}

describe('readSingleFile', () => {
  const content = Buffer.from('content\xff\0'.repeat(200), 'latin1')
  const name = 'n'.repeat(180)
  writeFileSync(join(folder, name), content)
  const archives = ['gnu', 'pax', 'ustar', 'v7'].map((format) => {
    const member = format === 'gnu' || format === 'pax' ? name : 'short'
    writeFileSync(join(folder, 'short'), content)
    return execFileSync('tar', ['-c', `--format=${format}`, '-C', folder, member])
  })

  it('reads what tar(1) writes in each of its formats, wherever the chunks are cut', async () => {
    for (const archive of archives)
      for (const size of [1, 511, 512, 700, archive.length])
        expect(await readSingleFile(chunks(archive, size), 1e6, 'x')).toEqual(content)
  })

  it('answers undefined for what is no regular file', async () => {
    const link = [...packTar(tarEntries([{ path: 'l', mode: '120000', content: Buffer.from('x') }]))]
    expect(await readSingleFile(Readable.from(link), 1e6, 'x')).toBeUndefined()
    const folders = [...packTar(tarEntries([{ path: 'd/f', mode: '100644', content }]))]
    expect(await readSingleFile(Readable.from(folders), 1e6, 'x')).toBeUndefined()
  })

  it('refuses more than the limit before it reads it', async () => {
    const huge = [...packTar(tarEntries([{ path: 'f', mode: '100644', content: Buffer.alloc(10_000) }]))]
    await expect(readSingleFile(Readable.from(huge), 9_999, 'f')).rejects.toMatchObject({ code: 'file_too_large' })
  })

  it('says so where the archive ends early', async () => {
    const cut = archives[0]?.subarray(0, 1600) ?? new Uint8Array()
    await expect(readSingleFile(chunks(cut, 100), 1e6, 'x')).rejects.toMatchObject({ code: 'archive_cut' })
  })
})
