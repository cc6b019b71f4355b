import { randomBytes } from 'node:crypto'
import { type FileEntry, pathFromBytes, type Sandbox } from '@r2e/spec'
import type { SandboxSuiteContext } from './suite-context.ts'
import { bytes, shell, text } from './suite-context.ts'

const ODD_NAMES = [
  'plain',
  'with blank',
  "quote's",
  '"double"',
  'new\nline',
  'back\\slash',
  '$(touch pwned)',
  '-rf',
  '*',
  'ünï',
  pathFromBytes(Buffer.from('latin-\xff\xe9', 'latin1')),
  pathFromBytes(Buffer.from('folder-\xff/\xfe\n', 'latin1')),
  `${'long/'.repeat(40)}${'n'.repeat(200)}`,
  'deep/er/folder',
]

export function fileTests(context: SandboxSuiteContext): void {
  const { afterAll, beforeAll, expect, it } = context.vitest
  let opened: Sandbox | undefined
  beforeAll(async () => {
    opened = await context.open()
  })
  afterAll(async () => await opened?.[Symbol.asyncDispose]())
  const file = (path: string, content: string | Uint8Array, mode: FileEntry['mode'] = '100644'): FileEntry => ({
    path,
    mode,
    content: typeof content === 'string' ? bytes(content) : content,
  })
  const sandbox = (): Sandbox => opened as Sandbox

  it('brings back every byte under every name', async () => {
    await sandbox().write(
      '/odd',
      ODD_NAMES.map((name, i) => file(name, Uint8Array.of(i, 0, 0xff, 13, 10))),
    )
    for (const [i, name] of ODD_NAMES.entries())
      expect(await sandbox().read(`/odd/${name}`), JSON.stringify(name)).toEqual(Buffer.from([i, 0, 0xff, 13, 10]))
    expect(await shell(sandbox(), 'find /odd -type f -printf x | wc -c; ls /odd | grep -c pwned')).toBe(
      `${ODD_NAMES.length}\n1\n`,
    )
  })

  it('keeps modes and links, owner root [D11]', async () => {
    await sandbox().write('/kept/sub', [
      file('run', '#!/bin/sh\necho ran\n', '100755'),
      file('link', 'run', '120000'),
      file('dangling', '/no/where', '120000'),
      file('data', ''),
    ])
    expect(
      await shell(sandbox(), 'cd /kept/sub && ./link && stat -c "%n %a %u %F" run data . .. && readlink dangling'),
    ).toBe(
      'ran\nrun 755 0 regular file\ndata 644 0 regular empty file\n. 755 0 directory\n.. 755 0 directory\n/no/where\n',
    )
  })

  it('leaves folders that exist as they are', async () => {
    const before = await shell(sandbox(), 'mkdir -p own/inner; chmod 0770 own own/inner; stat -c "%a %u" own own/inner')
    await sandbox().write('/work/tree', [file('own/inner/new', 'x'), file('own/new-folder/new', 'x')])
    expect(await shell(sandbox(), 'stat -c "%a %u" own own/inner; stat -c "%a %u" own/new-folder')).toBe(
      `${before}755 0\n`,
    )
  })

  it('replaces what stands at the place of a file, and follows no link there', async () => {
    await shell(
      sandbox(),
      'mkdir -p at; echo safe > at/target; ln -s target at/link; echo old > at/file; chmod 755 at/file',
    )
    await sandbox().write('/work/tree/at', [file('link', 'new'), file('file', 'new')])
    expect(await shell(sandbox(), 'cat at/target; cat at/link at/file; stat -c %F%a at/link at/file')).toBe(
      'safe\nnewnewregular file644\nregular file644\n',
    )
  })

  it('gives a written file the present as its time, so that stale bytecode is noticed', async () => {
    await sandbox().write('/work/tree', [file('timed', 'x')])
    const age = Number(await shell(sandbox(), 'echo $(( $(date +%s) - $(stat -c %Y timed) ))'))
    expect(Math.abs(age)).toBeLessThan(120)
  })

  it('answers undefined for what is no regular file', async () => {
    await shell(sandbox(), 'mkdir -p kinds/folder; cd kinds; touch folder/inner file; ln -sf file link; mkfifo pipe')
    for (const name of ['folder', 'link', 'pipe', 'absent', 'folder/absent', 'file/below'])
      expect(await sandbox().read(`/work/tree/kinds/${name}`), name).toBeUndefined()
    expect(await sandbox().read('/dev/zero')).toBeUndefined()
    expect(text(await sandbox().read('/work/tree/kinds/file'))).toBe('')
  })

  it('reads what a command wrote that nobody else may read', async () => {
    await shell(sandbox(), 'echo secret > private; chmod 000 private')
    expect(text(await sandbox().read('/work/tree/private'))).toBe('secret\n')
  })

  it('carries a big file both ways and holds the limit of a read', async () => {
    const big = randomBytes(24 * 2 ** 20)
    await sandbox().write('/big', [file('file', big)])
    const back = await sandbox().read('/big/file')
    expect(back && Buffer.from(back).equals(big)).toBe(true)
    await expect(sandbox().read('/big/file', big.length - 1)).rejects.toMatchObject({ code: 'file_too_large' })
    expect(await sandbox().read('/big/file', big.length)).toHaveLength(big.length)
  })

  it('carries many files', async () => {
    const many = Array.from({ length: 2000 }, (_, i) => file(`folder-${i % 50}/file-${i}`, String(i)))
    await sandbox().write('/many', many)
    expect(await shell(sandbox(), 'find /many -type f | wc -l; cat /many/folder-49/file-1999')).toBe('2000\n1999')
  })

  it('refuses a path that leaves its folder', async () => {
    for (const path of ['../up', '/absolute', 'a/../../up'])
      await expect(sandbox().write('/work/tree', [file(path, 'x')])).rejects.toThrow()
  })
}
