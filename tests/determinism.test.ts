import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { buildRepository, type RepositoryStep } from '../packages/testing/src/index.ts'
import { r2e } from './__fixtures__/r2e.ts'
import { part, requests, start } from './__fixtures__/request-history.ts'
import { contentDigest } from './__fixtures__/tree-digest.ts'

vi.setConfig({ testTimeout: 240_000 }) // many starts of the program, and every write is synced

const cwd = mkdtempSync(join(tmpdir(), 'r2e-determinism-'))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

const words = (out: string, ...more: string[]) => [
  ...['--json', 'generate', '--repo', './parts', '--pipeline', 'pr_diff', '--sandbox', 'none'],
  ...['--out', out, '--dataset-name', 'parts', ...more],
]
const run = async (out: string, ...more: string[]) => {
  const result = await r2e(words(out, ...more), { cwd })
  expect(result).toMatchObject({ code: 0, stderr: '' })
  return result.events.flatMap((event) => (event.type === 'task-written' ? [event.taskId] : []))
}
const tasksIn = (out: string) => readdirSync(join(cwd, out)).filter((name) => name.startsWith('local__'))

describe('the same inputs', () => {
  beforeAll(async () => void (await buildRepository(join(cwd, 'parts'), requests(6))))

  it('give equal bytes with separate states, whatever the concurrency, in discovery order [W22 W25]', async () => {
    const inOrder = [6, 5, 4, 3, 2, 1].map((n) => `local__parts-${n}`)
    expect(await run('one', '--state-dir', 'state-one', '--concurrency', '1')).toEqual(inOrder)
    expect(await run('two', '--state-dir', 'state-two', '--concurrency', '2')).toEqual(inOrder)
    const [one, two] = [await contentDigest(join(cwd, 'one')), await contentDigest(join(cwd, 'two'))]
    expect(Object.keys(one)).toEqual(expect.arrayContaining(['manifest.json', 'registry.json']))
    expect(two).toEqual(one)
  })

  it('give the first tasks alone with a limit', async () => {
    expect(await run('few', '--limit', '2')).toEqual(['local__parts-6', 'local__parts-5'])
    expect(tasksIn('few')).toEqual(['local__parts-5', 'local__parts-6'])
  })
})

describe('a dataset of another configuration', () => {
  it('keeps its tasks with --append and loses them with --force, and foreign folders stay', async () => {
    await run('grown', '--limit', '1')
    mkdirSync(join(cwd, 'grown/notes'))
    writeFileSync(join(cwd, 'grown/notes/mine.txt'), 'mine')
    const first = await contentDigest(join(cwd, 'grown/local__parts-6'))
    await run('grown', '--limit', '3', '--append')
    expect(tasksIn('grown')).toEqual(['local__parts-4', 'local__parts-5', 'local__parts-6'])
    expect(await contentDigest(join(cwd, 'grown/local__parts-6'))).toEqual(first)
    await run('grown', '--limit', '2', '--force')
    expect(tasksIn('grown')).toEqual(['local__parts-5', 'local__parts-6'])
    expect(readFileSync(join(cwd, 'grown/notes/mine.txt'), 'utf8')).toBe('mine')
    const { task_count } = JSON.parse(readFileSync(join(cwd, 'grown/manifest.json'), 'utf8'))
    expect(task_count).toBe(2)
  })
})

describe('a history that lost changes', () => {
  it('loses their tasks, and no task of another configuration [W22]', async () => {
    await run('moved')
    await run('moved', '--pipeline-opt', 'max_files_per_pr=1', '--limit', '1', '--append')
    rmSync(join(cwd, 'parts'), { recursive: true })
    await buildRepository(join(cwd, 'parts'), requests(3))
    await run('moved', '--append')
    expect(tasksIn('moved')).toEqual([1, 2, 3].map((n) => `local__parts-${n}`))
  })

  it('keeps one task of a change that comes twice [A15]', async () => {
    rmSync(join(cwd, 'parts'), { recursive: true })
    const fixed = requests(1).at(-1)!
    const files = part(['a = 1'])
    const again = { ...fixed, commit: 'Fix names which were lost once more (#3)\n\nThey are defined again.' }
    await buildRepository(join(cwd, 'parts'), [
      start,
      fixed,
      { commit: 'Lose the names', files },
      again as RepositoryStep,
    ])
    const { events } = await r2e(words('twice'), { cwd })
    const ends = events.flatMap((event) => (event.type === 'candidate-end' ? [{ id: event.id, ...event.end }] : []))
    expect(ends).toMatchObject([
      { id: '-3', state: 'admitted' },
      { id: '-1', state: 'skipped', reason: 'duplicate' },
    ])
  })
})
