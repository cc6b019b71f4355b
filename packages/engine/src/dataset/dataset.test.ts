import { execFileSync, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { encodeUtf8, type FileEntry, pathFromBytes } from '@r2e/spec'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { bundleHash } from '../render/bundle-hash.ts'
import { readManifest } from './manifest.ts'
import { type DatasetOptions, openDataset } from './open-dataset.ts'
import { readTask } from './read-task.ts'

const root = mkdtempSync(join(tmpdir(), 'r2e-dataset-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let directory: string
beforeEach(() => {
  directory = join(mkdtempSync(join(root, 'case-')), 'out')
})

const open = (changes: Partial<DatasetOptions> = {}) =>
  openDataset({
    directory,
    name: null,
    pipeline: 'commit_runtime',
    configDigest: 'A',
    append: false,
    force: false,
    ...changes,
  })
const files = (text: string): FileEntry[] => [
  { path: 'task.toml', mode: '100644', content: encodeUtf8(text) },
  { path: 'tests/test.sh', mode: '100755', content: encodeUtf8('#!/bin/bash\n') },
]
const task = (taskId: string, manifest = {}) => ({ taskId, manifest, evidence: { seconds: 1.5 } })

async function make(ids: readonly string[], changes: Partial<DatasetOptions> = {}, complete = true): Promise<void> {
  const writer = await open(changes)
  for (const id of ids) await writer.write(task(id, { gold: 1 }), files(`${id} of ${changes.configDigest ?? 'A'}`))
  await writer.finish({ complete })
}

const json = (path: string) => JSON.parse(readFileSync(join(directory, path), 'utf8'))
const tasksOf = () => readdirSync(directory).filter((name) => !/^\.|json$|^evidence$/.test(name))
const everything = async () =>
  (await readTask(directory)).map((file) => `${file.mode} ${file.path} ${Buffer.from(file.content)}`)

describe('a dataset', () => {
  it('holds tasks, manifest, registry and evidence', async () => {
    await make(['a__b-2', 'a__b-1'])
    const hash = bundleHash(files('a__b-1 of A'))
    expect(json('manifest.json')).toMatchObject({
      dataset: 'out',
      pipeline: 'commit_runtime',
      task_count: 2,
      tasks: [{ task_id: 'a__b-1', gold: 1, bundle_hash: hash }, { task_id: 'a__b-2' }],
    })
    expect(json('registry.json')).toEqual([
      {
        name: 'out',
        version: '1.0',
        description: '2 tasks (commit_runtime)',
        tasks: [
          { name: 'a__b-1', path: 'a__b-1' },
          { name: 'a__b-2', path: 'a__b-2' },
        ],
      },
    ])
    expect(json('evidence/a__b-1.json')).toEqual({ seconds: 1.5 })
    expect(readdirSync(directory)).not.toContain('.r2e-tmp')
  })

  it('is equal byte for byte after a second run, whatever the order [W22 K10]', async () => {
    await make(['a-1', 'a-2'])
    const first = await everything()
    await make(['a-2', 'a-1'])
    expect(await everything()).toEqual(first)
  })

  it('does not exist where no task was made', async () => {
    await make([])
    expect(() => readdirSync(directory)).toThrow('ENOENT')
  })

  it('loses tasks that its configuration no longer makes, once every candidate is decided', async () => {
    await make(['a-1', 'a-2'])
    await make(['a-2'], {}, false)
    expect([tasksOf(), json('manifest.json').task_count]).toEqual([['a-1', 'a-2'], 2])
    await make(['a-2'])
    expect([tasksOf(), json('manifest.json').task_count]).toEqual([['a-2'], 1])
    expect(readdirSync(join(directory, 'evidence'))).toEqual(['a-2.json'])
  })

  it('replaces stale files inside a task [W22]', async () => {
    await make(['a-1'])
    writeFileSync(join(directory, 'a-1', 'stray'), '')
    await make(['a-1'])
    expect(readdirSync(join(directory, 'a-1'))).toEqual(['task.toml', 'tests'])
  })

  it('never loses what a richer manifest or evidence of the same task knew [K8]', async () => {
    await make(['a-1'])
    const manifest = json('manifest.json')
    manifest.tasks[0].probe = '{é}'
    writeFileSync(join(directory, 'manifest.json'), JSON.stringify(manifest))
    writeFileSync(join(directory, 'evidence/a-1.json'), '{"host":"é"}')
    await make(['a-1'])
    expect(json('manifest.json').tasks[0].probe).toBe('{é}')
    expect(json('evidence/a-1.json')).toEqual({ host: 'é', seconds: 1.5 })
    const writer = await open()
    await writer.write(task('a-1'), files('changed'))
    await writer.finish({ complete: true })
    expect(json('manifest.json').tasks[0].probe).toBe(undefined)
    expect(json('evidence/a-1.json')).toEqual({ seconds: 1.5 })
  })
})

describe('reading a dataset', () => {
  it('follows no link, waits for no pipe and loads no huge file', async () => {
    await make(['a-1'])
    const traps: Record<string, (path: string) => void> = {
      link: (path) => symlinkSync('/dev/zero', path),
      pipe: (path) => execFileSync('mkfifo', [path]),
      huge: (path) => {
        writeFileSync(path, '')
        truncateSync(path, 2 ** 30)
      },
    }
    for (const [kind, set] of Object.entries(traps)) {
      for (const name of ['manifest.json', '.r2e-dataset.json']) {
        rmSync(join(directory, name), { force: true })
        set(join(directory, name))
      }
      expect(await readManifest(join(directory, 'manifest.json')), kind).toBe(undefined)
      await expect(open(), kind).rejects.toMatchObject({ code: 'dataset_damaged', fault: 'user' })
      set(join(directory, 'a-1', kind))
    }
    await expect(readTask(join(directory, 'a-1'))).rejects.toMatchObject({ code: 'file_too_large', fault: 'user' })
    rmSync(join(directory, 'a-1', 'huge'))
    await expect(readTask(join(directory, 'a-1'))).rejects.toMatchObject({ code: 'special_file', fault: 'user' })
    rmSync(join(directory, 'a-1', 'pipe'))
    expect(await readTask(join(directory, 'a-1'))).toContainEqual(expect.objectContaining({ mode: '120000' }))
  })
})

describe('openDataset', () => {
  it('refuses a folder that holds something else, and a file, even by force, and writes nothing', async () => {
    mkdirSync(directory, { recursive: true })
    writeFileSync(join(directory, 'thesis.doc'), '')
    for (const change of [{}, { force: true }, { append: true }])
      await expect(open(change)).rejects.toMatchObject({ code: 'output_not_a_dataset', fault: 'user' })
    expect(readdirSync(directory)).toEqual(['thesis.doc'])
    const inFile = open({ directory: join(directory, 'thesis.doc') })
    await expect(inFile).rejects.toMatchObject({ code: 'output_not_a_dataset', fault: 'user' })
  })

  it('refuses a dataset of another configuration', async () => {
    await make(['a-1'])
    const message = /--append to keep its tasks, --force to replace them/
    await expect(open({ configDigest: 'B' })).rejects.toMatchObject({
      code: 'output_of_another_configuration',
      fault: 'user',
      fix: expect.stringMatching(message),
    })
  })

  it('keeps standing tasks with append, and removes only its own', async () => {
    await make(['a-1', 'a-2'])
    const b = { configDigest: 'B', append: true, pipeline: 'pr_diff' }
    await make(['a-1', 'b-1', 'b-2'], b)
    expect(tasksOf()).toEqual(['a-1', 'a-2', 'b-1', 'b-2'])
    expect(readFileSync(join(directory, 'a-1/task.toml'), 'utf8')).toBe('a-1 of A')
    expect(json('manifest.json')).toMatchObject({ pipeline: 'commit_runtime, pr_diff', task_count: 4 })
    await make(['b-2'], b)
    expect(tasksOf()).toEqual(['a-1', 'a-2', 'b-2'])
    expect(json('manifest.json').tasks.map((entry: { gold: number }) => entry.gold)).toEqual([1, 1, 1])
  })

  it('replaces the tasks of other configurations with force', async () => {
    await make(['a-1', 'a-2'])
    await make(['a-1', 'b-1'], { configDigest: 'B', force: true })
    expect(tasksOf()).toEqual(['a-1', 'b-1'])
    expect(readFileSync(join(directory, 'a-1/task.toml'), 'utf8')).toBe('a-1 of B')
    await make(['a-1', 'b-1'], { configDigest: 'B' })
  })

  it('never touches a folder that no run of ours wrote', async () => {
    await make(['a-1'])
    mkdirSync(join(directory, 'mine'))
    await make([])
    expect(readdirSync(directory)).toContain('mine')
    await expect(make(['mine'])).rejects.toMatchObject({ code: 'task_exists', fault: 'user' })
  })

  it('is written by one run at a time', async () => {
    await using first = await open()
    await expect(open({ configDigest: 'B', append: true })).rejects.toMatchObject({ code: 'dataset_locked' })
    await first.write(task('a-1'), files('x'))
    await expect(open()).rejects.toMatchObject({ code: 'dataset_locked', fault: 'user' })
    await first.finish({ complete: true })
    await make(['b-1'], { configDigest: 'B', append: true })
    expect(tasksOf()).toEqual(['a-1', 'b-1'])
  })

  it('is held by the next writer alone, however often the last one lets go', async () => {
    const first = await open()
    await first.finish({ complete: true })
    await using _second = await open()
    await first[Symbol.asyncDispose]()
    await expect(open()).rejects.toMatchObject({ code: 'dataset_locked' })
  })

  it('follows no link of a folder that somebody else made', async () => {
    const victim = join(root, 'victim')
    for (const name of ['.r2e-tmp', 'evidence']) {
      mkdirSync(directory, { recursive: true })
      if (name === 'evidence') await make(['a-1'])
      mkdirSync(victim, { recursive: true })
      writeFileSync(join(victim, 'precious'), '')
      rmSync(join(directory, name), { recursive: true, force: true })
      symlinkSync(victim, join(directory, name))
      await expect(open()).rejects.toMatchObject({ code: 'dataset_damaged', fault: 'user' })
      expect(readdirSync(victim)).toEqual(['precious'])
      rmSync(join(directory, name))
    }
  })

  it('leaves nothing where nothing was written, and keeps a folder that was there', async () => {
    const inner = join(directory, 'b', 'c')
    await make([], { directory: inner })
    await (await open({ directory: inner }))[Symbol.asyncDispose]()
    expect(existsSync(directory)).toBe(false)
    mkdirSync(directory)
    await make([])
    expect(readdirSync(directory)).toEqual([])
  })

  it('names a folder that cannot be made', async () => {
    symlinkSync(join(root, 'nowhere'), join(directory, '..', 'link'))
    for (const path of ['/proc/r2e', '/proc/r2e/out', join(directory, '..', 'link')])
      await expect(open({ directory: path })).rejects.toMatchObject({ code: 'not_permitted', fault: 'user' })
  })

  it('says so when the marker is damaged, or names what lies outside', async () => {
    await make(['a-1'])
    const outside = '{"schema":"r2e.dataset/1","owners":[{"config":"A","tasks":["../../x"]}]}'
    for (const text of ['{', outside]) {
      writeFileSync(join(directory, '.r2e-dataset.json'), text)
      await expect(open()).rejects.toMatchObject({ code: 'dataset_damaged', fault: 'user' })
    }
  })
})

describe('writing a task', () => {
  it('never leaves the dataset [J1]', async () => {
    const writer = await open()
    for (const id of ['../out2', '.hidden', 'a/b', 'evidence', 'manifest.json', '', 'x'.repeat(300)])
      await expect(writer.write(task(id), files('x')), id).rejects.toMatchObject({ code: 'task_id_invalid' })
    for (const path of ['../x', '/etc/x', 'a/../../x', 'a//b', ''])
      await expect(writer.write(task('a-1'), [{ ...files('x')[0]!, path }]), path).rejects.toMatchObject({
        code: 'unsafe_path',
      })
    await expect(writer.write(task('a-1'), [{ ...files('x')[0]!, mode: '120000' }])).rejects.toThrow('cannot hold')
  })

  it('does not follow a link that stands in its place', async () => {
    await make(['a-1'])
    const outside = join(directory, '..', 'outside')
    mkdirSync(outside)
    rmSync(join(directory, 'a-1'), { recursive: true })
    symlinkSync(outside, join(directory, 'a-1'))
    await make(['a-1'])
    expect(readdirSync(outside)).toEqual([])
    expect(readdirSync(join(directory, 'a-1'))).toEqual(['task.toml', 'tests'])
  })

  it('keeps paths of any bytes and the exec bit whatever the umask', async () => {
    const odd = [{ path: pathFromBytes(Uint8Array.of(0x61, 0xff)), mode: '100755', content: encodeUtf8('x') } as const]
    const writer = await open()
    const mask = process.umask(0o077)
    const place = await writer.write(task('a-1'), odd)
    process.umask(mask)
    expect(bundleHash(await readTask(place))).toBe(bundleHash(odd))
  })

  it('is whole or absent after kill -9 at any moment, and the next run leaves no trace of it', async () => {
    const program = `
      import { openDataset } from ${JSON.stringify(new URL('./open-dataset.ts', import.meta.url).pathname)}
      const big = new Uint8Array(200_000).fill(65)
      const files = Array.from({ length: 12 }, (_, i) => ({ path: 'f/' + i, mode: '100644', content: big }))
      const writer = await openDataset({ directory: ${JSON.stringify(directory)}, name: null, pipeline: 'p', configDigest: 'A', append: false, force: false })
      for (let n = 0; ; n++) {
        big.fill(65 + (n % 20))
        await writer.write({ taskId: 'a-' + (n % 3), manifest: {} }, files)
        if (n === 0) process.stdout.write('go')
        if (n % 4 === 3) await writer.finish({ complete: false })
      }`
    for (let turn = 0; turn < 6; turn++) {
      const child = spawn(process.execPath, ['--conditions=@r2e/source', '--input-type=module', '-e', program])
      await new Promise((resolve) => child.stdout.once('data', resolve))
      await wait(40 + turn * 37)
      child.kill('SIGKILL')
      await new Promise((resolve) => child.once('exit', resolve))
      for (const id of tasksOf()) {
        const found = await readTask(join(directory, id))
        expect(found.length).toBe(12)
        expect(new Set(found.map((file) => `${file.content.length} ${file.content[0]}`)).size).toBe(1)
      }
      await (await open())[Symbol.asyncDispose]()
      expect(readdirSync(directory).filter((name) => name.startsWith('.r2e-tmp'))).toEqual([])
    }
    expect(tasksOf().length).toBeGreaterThan(0)
  })
})
