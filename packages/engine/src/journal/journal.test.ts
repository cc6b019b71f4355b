import { appendFile, mkdtemp, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openBlobs } from './blobs.ts'
import { createJournal, type JournalHeader, openJournal } from './journal.ts'
import { resumeRun, startRun } from './run-directory.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'r2e-journal-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

const header: JournalHeader = {
  schema: 'r2e.journal/1',
  run: '20240101-000000-abcd',
  toolVersion: '0.1.0',
  startedAt: '2024-01-01T00:00:00.000Z',
  configDigest: 'sha256:a',
  config: { pipeline: { name: 'commit_runtime', options: { limit: 5 } } },
  head: 'f00',
}
const skipped = (id: string) => ({ id, title: id, end: { state: 'skipped', reason: 'flaky', detail: '' } as const })

describe('the journal', () => {
  it('gives back what was appended', async () => {
    const path = join(directory, 'j')
    const journal = await createJournal(path, header)
    await journal.append(skipped('-a'))
    await journal.append(skipped('-b'))
    await journal.close()
    const again = await openJournal(path)
    expect(again.header).toEqual(header)
    expect([...again.settled.keys()]).toEqual(['-a', '-b'])
    await again.close()
  })

  it('cuts a torn last line at every byte, and goes on [W25]', async () => {
    const path = join(directory, 'j')
    const journal = await createJournal(path, header)
    await journal.append(skipped('-a'))
    const { size } = await stat(path)
    await journal.append(skipped('-b'))
    await journal.close()
    const whole = await readFile(path)
    for (let length = size; length < whole.length; length += 7) {
      await writeFile(path, whole.subarray(0, length))
      const torn = await openJournal(path)
      expect([...torn.settled.keys()]).toEqual(['-a'])
      await torn.append(skipped('-c'))
      await torn.close()
      const again = await openJournal(path)
      expect([...again.settled.keys()]).toEqual(['-a', '-c'])
      await again.close()
    }
  })

  it('names a journal that cannot be read', async () => {
    const path = join(directory, 'j')
    const good = JSON.stringify(header)
    for (const text of ['', 'not json', '{"schema":"r2e.journal/1"}', `${good}\nnull`, `${good}\n{"id":"-1"}`]) {
      await writeFile(path, `${text}\n`)
      await expect(openJournal(path)).rejects.toThrow(/not a readable journal/)
    }
  })
})

describe('a run directory', () => {
  it('is resumed by the newest run of the same configuration', async () => {
    for (const run of ['1', '2', '3']) {
      await using _ = await startRun(directory, { ...header, run, configDigest: run === '3' ? 'other' : 'sha256:a' })
    }
    await using resumed = await resumeRun(directory, 'newest', { ...header, run: 'new' })
    expect(resumed.journal.header.run).toBe('2')
  })

  it('is not resumed with another configuration, and says where they differ', async () => {
    await using _ = await startRun(directory, header)
    await _[Symbol.asyncDispose]()
    const config = { pipeline: { name: 'commit_runtime', options: { limit: 6 } } }
    const wanted = { ...header, configDigest: 'sha256:b', config }
    await expect(resumeRun(directory, header.run, wanted)).rejects.toThrow(/pipeline\.options\.limit/)
  })

  it('is worked on by one process at a time', async () => {
    await using _ = await startRun(directory, header)
    await expect(resumeRun(directory, header.run, header)).rejects.toThrow(/another process/)
  })

  it('is looked for among the runs alone, and named when it is not there', async () => {
    await (await startRun(directory, header))[Symbol.asyncDispose]()
    for (const name of ['other', '.', '', `../${basename(directory)}/${header.run}`]) {
      const failure = expect(resumeRun(directory, name, header)).rejects
      await failure.toMatchObject({ code: 'no_run_to_resume', fix: `name one: --resume ${header.run}` })
    }
  })

  it('takes over the lock of a process that is gone', async () => {
    const run = await startRun(directory, header)
    await run.journal.close()
    await rm(join(run.path, 'lock'))
    await symlink('999999999 1', join(run.path, 'lock'))
    await using resumed = await resumeRun(directory, header.run, header)
    expect(resumed.resumed).toBe(true)
  })
})

describe('the blob store', () => {
  it('writes a damaged or cut blob anew', async () => {
    const blobs = openBlobs(directory)
    const content = Buffer.from('content')
    const digest = await blobs.put(content)
    const path = join(directory, digest.slice(0, 2), digest)
    await truncate(path, 3)
    await expect(blobs.get(digest)).rejects.toThrow(/damaged/)
    expect(await openBlobs(directory).put(content)).toBe(digest)
    expect(Buffer.from(await blobs.get(digest)).toString()).toBe('content')
    await appendFile(path, 'x')
    await expect(blobs.get(digest)).rejects.toThrow(/damaged/)
  })
})
