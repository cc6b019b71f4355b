import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunEvent } from '../packages/spec/src/index.ts'
import { buildRepository, type RepositoryStep } from '../packages/testing/src/index.ts'
import { whyNoLocalSandbox } from './__fixtures__/local-sandbox.ts'
import { type R2eResult, r2e } from './__fixtures__/r2e.ts'
import { treeDigest } from './__fixtures__/tree-digest.ts'

const MINUTES = 60_000
const reason = await whyNoLocalSandbox()
const cwd = mkdtempSync(join(tmpdir(), 'r2e-shared-'))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

const method = (name: string, body: string) => `    def test_${name}(self):\n        ${body}\n\n`
const head = 'import time\nimport unittest\n\nfrom tally import NOISE, count, first, total\n\n\n'
/** Each is a coin toss of its own where there is noise. */
const racy = Array.from({ length: 8 }, (_, i) =>
  method(`race_${i}`, 'self.assertTrue(not NOISE or time.time_ns() // 1000 % 2)'),
)
const added = [
  method('count_of_equal_items', 'self.assertEqual(count(["a", "a"]), 2)'),
  method('first_of_nothing', 'self.assertIsNone(first([]))'),
  method('total_of_many', 'self.assertEqual(total([1] * 20), 20)'),
]

const bodies = [
  ['len(set(items))', 'len(items)'],
  ['items[0]', 'items[0] if items else None'],
  ['sum(items[:9])', 'sum(items)'],
]
const source = (noise: boolean, fixed: number) =>
  `NOISE = ${noise ? 'True' : 'False'}\n` +
  ['count', 'first', 'total']
    .map((name, i) => `\n\ndef ${name}(items):\n    return ${bodies[i]![i < fixed ? 1 : 0]}\n`)
    .join('')
const tests = (fixed: number) =>
  `${head}class TallyTest(unittest.TestCase):\n${[...racy, ...added.slice(0, fixed)].join('')}`

/** Three fixes; the tests of races, which stand in all of them, move only while the second is made. */
const history: readonly RepositoryStep[] = [
  { commit: 'Start the tally module', files: { 'tally.py': source(false, 0), 'test_tally.py': tests(0) } },
  fix('Fix the count of a list with equal items\n\nEqual items were counted once.', false, 1),
  { commit: 'Turn the noise on, which tests do not like', files: { 'tally.py': source(true, 1) } },
  fix('Fix the error that an empty list raises\n\nThe first of no items is nothing at all.', true, 2),
  { commit: 'Turn the noise off again, for good', files: { 'tally.py': source(false, 2) } },
  fix('Fix the total of many items\n\nOnly nine of them were added up.', false, 3),
]

function fix(commit: string, noise: boolean, fixed: number): RepositoryStep {
  return { commit, files: { 'tally.py': source(noise, fixed), 'test_tally.py': tests(fixed) } }
}

/** Seventeen tosses at least: one of twelve coins seems steady in one of 5000 tasks, and no chance ends the run late. */
const manyTosses = ['--qa-opt', 'determinism_runs=8', '--qa-opt', 'oracle_runs=1']
const words = [
  ...['--json', 'generate', '--repo', './demo', '--pipeline', 'commit_runtime', '--sandbox', 'local'],
  ...['--test-cmd', 'python3 -m unittest', '--out', 'out', '--state-dir', 'state'],
  ...manyTosses,
]

const revisions = ({ events }: R2eResult) =>
  events.flatMap((event) => (event.type === 'candidate-revised' ? [event] : []))

describe.skipIf(reason !== undefined)(`tests that moved in one task${reason ? ` (${reason})` : ''}`, () => {
  let made: R2eResult
  const manifest = () => JSON.parse(readFileSync(join(cwd, 'out/manifest.json'), 'utf8')).tasks
  /** Of the tasks that chance does not touch: how the racy one ends, and after how many runs, is a toss of coins. */
  const steadyTasks = async () => {
    const digests = await treeDigest(join(cwd, 'out'))
    const steady = revisions(made).map(({ taskId }) => taskId)
    return Object.fromEntries(Object.entries(digests).filter(([path]) => steady.some((id) => path.startsWith(id))))
  }
  const listed = (task: string): string[] =>
    ['f2p', 'p2p'].flatMap((list) => JSON.parse(readFileSync(join(cwd, 'out', task, 'tests', `${list}.json`), 'utf8')))

  beforeAll(async () => {
    await buildRepository(join(cwd, 'demo'), history)
    made = await r2e(words, { cwd })
    expect(made).toMatchObject({ code: 0, stderr: '' })
  }, 6 * MINUTES)

  it('are in no list of any other, each of which is proven anew without them [H1]', () => {
    const revised = revisions(made).map(({ taskId }) => taskId)
    expect(revised).toHaveLength(2)
    const [one, other] = manifest().filter(({ task_id }: { task_id: string }) => revised.includes(task_id))
    expect(one.quarantined).toEqual(other.quarantined)
    expect(one.quarantined.length).toBeGreaterThan(4)
    for (const { task_id, gold, noop } of manifest()) {
      expect([gold, noop]).toEqual([1, 0])
      expect(listed(task_id).filter((id) => one.quarantined.includes(id))).toEqual([])
      expect(listed(task_id).length).toBeGreaterThan(0)
    }
    expect(revisions(made).map(({ end }) => end.state)).toEqual(['admitted', 'admitted'])
  })

  it(
    'stay out, with the same bytes, when the run is killed while tasks are proven anew',
    async () => {
      const undisturbed = await steadyTasks()
      for (const folder of ['out', 'state/runs', 'state/blobs', 'state/cache/observations'])
        rmSync(join(cwd, folder), { recursive: true, force: true })
      const onEvent = (event: RunEvent, child: { kill(signal: 'SIGKILL'): void }) =>
        void (event.type === 'candidate-revised' && child.kill('SIGKILL'))
      expect(await r2e(words, { cwd, onEvent })).toMatchObject({ signal: 'SIGKILL' })
      const resumed = await r2e([...words, '--resume'], { cwd })
      expect(resumed).toMatchObject({ code: 0, stderr: '' })
      expect(revisions(resumed)).toHaveLength(1)
      expect(await steadyTasks()).toEqual(undisturbed)
    },
    6 * MINUTES,
  )
})

describe.skipIf(reason !== undefined)(`a task of which nothing is left${reason ? ` (${reason})` : ''}`, () => {
  const place = join(cwd, 'withdrawn')
  const coins = Array.from({ length: 4 }, (_, i) =>
    method(`race_${i}`, 'self.assertTrue(count(["a", "a"]) == 2 and (not NOISE or time.time_ns() // 1000 % 2))'),
  )
  const classOf = (methods: readonly string[]) => `${head}class TallyTest(unittest.TestCase):\n${methods.join('')}`
  const steady = method('total', 'self.assertEqual(total([1, 2]), 3)')
  const steps: readonly RepositoryStep[] = [
    { commit: 'Start the tally module', files: { 'tally.py': source(false, 0), 'test_tally.py': classOf([steady]) } },
    {
      commit: 'Fix the total of one item\n\nAn older fix, which is not wanted any more when two are found.',
      files: { 'tally.py': source(false, 0).replace('9', '8'), 'test_tally.py': classOf([steady, added[1]!]) },
    },
    {
      commit: 'Fix the count of a list with equal items\n\nEqual items were counted once.',
      files: { 'tally.py': source(false, 1), 'test_tally.py': classOf([steady, ...coins]) },
    },
    { commit: 'Turn the noise on, which tests do not like', files: { 'tally.py': source(true, 1) } },
    {
      commit: 'Fix the error that an empty list raises\n\nThe first of no items is nothing at all.',
      files: { 'tally.py': source(true, 2), 'test_tally.py': classOf([steady, ...coins, added[1]!]) },
    },
  ]
  const limited = [...words, '--limit', '2']
  const tasks = async () =>
    Object.keys(await treeDigest(join(place, 'out'))).filter((path) => path.endsWith('task.toml'))

  it(
    'is withdrawn, and its place stays taken when the run goes on later [W22]',
    async () => {
      await buildRepository(join(place, 'demo'), steps)
      const whole = await r2e(limited, { cwd: place })
      expect(whole).toMatchObject({ code: 0, stderr: '' })
      expect(revisions(whole).map(({ end }) => end)).toMatchObject([{ state: 'skipped', reason: 'flaky' }])
      const left = await tasks()
      expect(left).toHaveLength(1)
      for (const folder of ['out', 'state/runs', 'state/blobs', 'state/cache/observations'])
        rmSync(join(place, folder), { recursive: true, force: true })
      const onEvent = (event: RunEvent, child: { kill(signal: 'SIGKILL'): void }) =>
        void (event.type === 'candidate-revised' && child.kill('SIGKILL'))
      expect(await r2e(limited, { cwd: place, onEvent })).toMatchObject({ signal: 'SIGKILL' })
      for (const again of [1, 2]) {
        expect([again, await r2e([...limited, '--resume'], { cwd: place })]).toMatchObject([again, { code: 0 }])
        expect(await tasks()).toEqual(left)
      }
    },
    6 * MINUTES,
  )
})
