import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { JsonObject, RunSummary, SpendEntry } from '../packages/spec/src/index.ts'
import {
  buildRepository,
  errorAnswer,
  type ModelServer,
  type ModelServerOptions,
  startModelServer,
} from '../packages/testing/src/index.ts'
import { entriesBelow } from './__fixtures__/entries-below.ts'
import { whyNoLocalSandbox } from './__fixtures__/local-sandbox.ts'
import { type R2eResult, r2e } from './__fixtures__/r2e.ts'
import { requests } from './__fixtures__/request-history.ts'
import { tinyHistory } from './__fixtures__/tiny-history.ts'

const MINUTE = 60_000
const KEY = 'sk-test-Zz7424242424242424'
const asking = fileURLToPath(new URL('./__fixtures__/pipelines/asking.mjs', import.meta.url))
const hook = new URL('../apps/cli/src/__fixtures__/log-modules.mjs', import.meta.url).href
const usage = { prompt_tokens: 100, completion_tokens: 10 }
const kind: ModelServerOptions['answer'] = () => ({ kind: 'reply', text: 'It is well made.', usage })

async function project(count = 2): Promise<string> {
  const cwd = mkdtempSync(join(tmpdir(), 'r2e-models-'))
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
  await buildRepository(join(cwd, 'demo'), requests(count))
  return cwd
}

async function serve(options: Partial<ModelServerOptions> = {}): Promise<ModelServer> {
  const server = await startModelServer({ answer: kind, ...options })
  onTestFinished(() => server[Symbol.asyncDispose]())
  return server
}

const generate = (...more: string[]) => [
  ...['generate', '--repo', './demo', '--pipeline', asking, '--out', 'out', '--state-dir', 'state', ...more],
]
const at = (server: ModelServer, ...more: string[]) =>
  generate('--llm', 'custom/model', '--llm-endpoint', server.url, ...more)
const key = { MY_KEY: KEY }
const calls = ({ received }: ModelServer) => received.filter(({ path }) => path.endsWith('/chat/completions')).length
const summaryOf = ({ events }: R2eResult): RunSummary => {
  const last = events.at(-1)
  if (last?.type !== 'run-end') throw new Error('the run has no end')
  return last.summary
}
const readJson = async (...path: string[]): Promise<JsonObject> => JSON.parse(await readFile(join(...path), 'utf8'))

/** What lies in a folder, as text by path. */
async function textsBelow(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = names.filter((entry) => entry.isFile())
  return (await Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name), 'latin1')))).join('\n')
}

describe('a model that cannot be used', () => {
  const faults: readonly {
    readonly title: string
    readonly words: (server: ModelServer) => readonly string[]
    readonly stderr: RegExp
    readonly server?: Partial<ModelServerOptions>
    readonly closed?: true
    readonly env?: Readonly<Record<string, string>>
  }[] = [
    {
      title: 'a wrong key',
      words: (server) => at(server, '--llm-key-env', 'MY_KEY', '--price', '1,1'),
      server: { key: 'another' },
      stderr: /^model_key_refused: custom\/model at \S+ refuses the key .*\n {2}fix: put a valid key into .* MY_KEY\n$/,
    },
    {
      title: 'an unknown model',
      words: (server) => at(server, '--price', '1,1'),
      server: { models: ['modell', 'other'] },
      stderr: /^unknown_model: custom\/model at \S+ is unknown there .*\n {2}fix: did you mean modell\?\n$/,
    },
    {
      title: 'an unreachable endpoint',
      words: (server) => at(server, '--price', '1,1'),
      closed: true,
      stderr:
        /^model_unreachable: the model endpoint \S+ does not answer: nothing listens there\n {2}fix: start it.*\n$/,
    },
    {
      title: 'no endpoint of the protocol',
      words: (server) => generate('--llm', 'custom/model', '--llm-endpoint', `${server.url}/more`, '--price', '1,1'),
      stderr: /^bad_endpoint: \S+ is no OpenAI-compatible endpoint: it answers 404.*\n {2}fix: .*\n$/,
    },
    {
      title: 'a key that is not set',
      words: (server) => at(server, '--llm-key-env', 'NO_KEY', '--price', '1,1'),
      stderr: /^no_model_key: custom needs a key, and the variable NO_KEY is not set\n {2}fix: set NO_KEY.*\n$/,
    },
    {
      title: 'an unknown provider',
      words: () => generate('--llm', 'opnai/model', '--price', '1,1'),
      stderr: /^unknown_provider: there is no provider "opnai"\n {2}fix: did you mean openai\?.*\n$/,
    },
    {
      title: 'no price, and a cap in money [M2]',
      words: (server) => at(server),
      stderr: /^unknown_price: nothing says what custom\/model costs.*\n {2}fix: give --price .*--max-spend-usd 0\n$/,
    },
    {
      title: 'no model at all',
      words: () => generate(),
      stderr: /^no_model: .*\n {2}fix: give --llm PROVIDER\/MODEL\n$/,
    },
    {
      title: 'a cap without room for one call',
      words: (server) => at(server, '--price', '1,1', '--max-spend-tokens', '5'),
      stderr: /^budget_exhausted: the budget has no room for a call of custom\/model \(probe\).*\n {2}fix: .*\n$/,
    },
  ]
  for (const { title, words, server: options, closed, env, stderr } of faults)
    it(`is told in one line before anything is fetched, started or written: ${title}`, async () => {
      const cwd = await project(1)
      const server = await serve(options)
      if (closed) await server[Symbol.asyncDispose]()
      const result = await r2e(words(server), { cwd, env: { ...key, ...env } })
      expect(result.stderr).toMatch(stderr)
      expect([result.code, result.stdout]).toEqual([title.startsWith('a cap') ? 5 : 2, ''])
      expect((await readdir(cwd)).sort()).toEqual(['demo', 'tmp'])
      expect(result.stderr).not.toContain(KEY)
    })

  it('is not asked in a dry run, which says the most that calls may cost', async () => {
    const cwd = await project(1)
    const server = await serve()
    const { code, stdout } = await r2e(at(server, '--price', '1,1', '--dry-run'), { cwd })
    expect([code, server.received.length]).toEqual([0, 0])
    expect(stdout).toMatch(/^estimate .* MB of tasks at most, at most 5 USD of model calls$/m)
  })
})

describe('a run with a model', () => {
  it(
    'says what it cost, in all, by phase and by task, sums that agree, and shows the key nowhere [I3 M1 N2 W28]',
    async () => {
      const cwd = await project()
      const server = await serve({ key: KEY })
      const words = at(server, '--llm-key-env', 'MY_KEY', '--price', '1,2')
      const result = await r2e(['--json', ...words], { cwd, env: key })
      expect([result.code, result.stderr]).toEqual([0, ''])
      const { details, tasks, ledger, dataset } = summaryOf(result)
      // one call costs 100 × 1 + 10 × 2 millionths of a dollar
      const row = (calls: number) => ({
        calls,
        input_tokens: calls * 100,
        output_tokens: calls * 10,
        cost_usd: expect.closeTo(calls * 0.00012, 9),
      })
      expect(details.llm).toEqual({ ...row(3), phases: { probe: row(1), instructions: row(2) } })
      expect(tasks).toHaveLength(2)
      for (const task of tasks) {
        const { llm } = await readJson(dataset!, 'evidence', `${task}.json`)
        expect(llm).toEqual({ ...row(1), phases: { instructions: row(1) } })
        expect(await readFile(join(dataset!, task, 'instruction.md'), 'utf8')).toContain('It is well made.')
        expect(await readFile(join(dataset!, task, 'task.toml'), 'utf8')).toContain('synthesis_llm = "custom/model"')
        const verdict = await readJson(ledger, 'candidates', task.split('-').at(-1)!, 'verdict.json')
        expect(verdict.evidence).toMatchObject({ llm: { calls: 1 } })
      }
      const lines = (await readFile(join(ledger, 'spend.jsonl'), 'utf8')).trimEnd().split('\n')
      const entries = lines.map((line): SpendEntry => JSON.parse(line))
      const paid = entries.flatMap((entry) => (entry.type === 'reserve' ? entry.task : []))
      expect(paid.filter(Boolean).sort()).toEqual([...tasks].sort())
      expect(server.received.every(({ headers }) => headers.authorization === `Bearer ${KEY}`)).toBe(true)
      const { stdout } = await r2e(['config', 'print', ...words.slice(1)], { cwd, env: key })
      expect(stdout).toContain('"MY_KEY"')
      expect(`${result.stdout}${result.stderr}${stdout}${await textsBelow(cwd)}`).not.toContain(KEY)
    },
    MINUTE,
  )

  it(
    'tells the sum on the terminal, and calls a cost unknown where nothing tells the price [M2]',
    async () => {
      const cwd = await project(1)
      const server = await serve()
      const priced = await r2e(at(server, '--price', '1,2'), { cwd })
      expect(priced.stdout).toMatch(
        /^models {3}0\.0002 USD for 2 calls \(probe 0\.0001 USD, instructions 0\.0001 USD\)$/m,
      )
      const free = await r2e(at(await serve(), '--max-spend-usd', '0', '--append'), { cwd })
      expect(free.stdout).toMatch(/^models {3}an unknown cost, 220 tokens for 2 calls \(probe an unknown cost, 110 /m)
      const [latest] = (await readdir(join(cwd, 'state/runs'))).sort().reverse()
      expect((await readJson(cwd, 'state/runs', latest!, 'summary.json')).details).toMatchObject({
        llm: { cost_usd: null, calls: 2 },
      })
    },
    MINUTE,
  )

  it(
    'ends at its cap with exit 5 and what it has, and goes on under a higher one without paying twice [N4 W28]',
    async () => {
      const cwd = await project(4)
      const server = await serve()
      // A call uses 110 tokens and may use about 260, a probe about 225: there is room for a probe and two tasks, and no more.
      const words = ['--json', ...at(server, '--max-spend-usd', '0', '--concurrency', '1')]
      const capped = await r2e([...words, '--max-spend-tokens', '545'], { cwd })
      expect(capped.code).toBe(5)
      const first = summaryOf(capped)
      expect(first).toMatchObject({ stop: 'budget', failed: { bug: 0, transient: 0 } })
      expect(first.admitted).toBeGreaterThan(0)
      expect(first.admitted).toBeLessThan(4)
      expect(first.dataset).toBe(join(cwd, 'out'))
      expect(capped.events.filter(({ type }) => type === 'notice')).toContainEqual(
        expect.objectContaining({ code: 'budget_exhausted', level: 'warning' }),
      )
      for (const task of first.tasks) expect(await readdir(join(cwd, 'out', task))).toContain('task.toml')
      const before = calls(server)

      const still = await r2e([...words, '--max-spend-tokens', '545', '--resume'], { cwd })
      expect([still.code, calls(server)]).toEqual([5, before])

      const done = await r2e([...words, '--max-spend-tokens', '5000', '--resume', first.run], { cwd })
      expect(done.code).toBe(0)
      const last = summaryOf(done)
      expect(last).toMatchObject({ run: first.run, stop: 'exhausted', admitted: 4 })
      expect(last.tasks.slice(0, first.admitted)).toEqual(first.tasks)
      // a probe of each process that had room for one, and one call for each task
      expect(calls(server)).toBe(6)
      expect(last.details.llm).toMatchObject({ calls: 6, phases: { probe: { calls: 2 }, instructions: { calls: 4 } } })
    },
    2 * MINUTE,
  )

  it('counts a call that a kill cut short with its worst case, and goes on [N4]', async () => {
    const cwd = await project(1)
    let killed = false
    const server = await serve({
      answer: (request, index) => (index === 0 || killed ? kind(request, index) : { kind: 'stall', after: 'nothing' }),
    })
    const words = ['--json', ...at(server, '--price', '1,2')]
    const onStart = (child: ChildProcess) => {
      const watch = setInterval(() => {
        if (calls(server) < 2) return
        clearInterval(watch)
        killed = child.kill('SIGKILL')
      }, 20)
    }
    expect((await r2e(words, { cwd, onStart })).signal).toBe('SIGKILL')
    const done = summaryOf(await r2e([...words, '--resume'], { cwd }))
    expect(done).toMatchObject({ admitted: 1, stop: 'exhausted' })
    const { llm } = done.details as unknown as { llm: { calls: number; cost_usd: number; at_most?: boolean } }
    // two probes and a call at 0.00012, and the most that the lost one can have cost
    expect(llm).toMatchObject({ calls: 4, at_most: true })
    expect(llm.cost_usd).toBeGreaterThan(0.00036 + 0.0002)
  }, 60_000)

  it(
    'asks the fallback where the first model has no credit left, and says who answered',
    async () => {
      const cwd = await project(1)
      const first = await serve({
        answer: (_, index) => (index === 0 ? kind(_, index) : errorAnswer(402, 'No credit')),
      })
      const second = await serve({ models: ['spare'] })
      const spare = ['--llm-fallback', 'other/spare', '--llm-endpoint', second.url]
      const words = ['--json', ...at(first, ...spare, '--price', '1,1', '--price', '5,5')]
      const result = await r2e(words, { cwd })
      expect([result.code, result.stderr]).toEqual([0, ''])
      const [task] = summaryOf(result).tasks
      expect(await readFile(join(cwd, 'out', task!, 'task.toml'), 'utf8')).toContain('synthesis_llm = "other/spare"')
      // probes at 110 and 550 millionths, the refusal for nothing, the answer at the second price
      expect(summaryOf(result).details.llm).toMatchObject({ calls: 4, cost_usd: expect.closeTo(0.00121, 9) })
      expect([calls(first), calls(second)]).toEqual([2, 2])
    },
    MINUTE,
  )

  it(
    'stops where the key is refused on the way, and decides nothing about the candidate',
    async () => {
      const cwd = await project(1)
      let revoked = true
      const server = await serve({
        answer: (_, index) => (index > 0 && revoked ? errorAnswer(401, 'Revoked') : kind(_, index)),
      })
      const words = ['--json', ...at(server, '--price', '1,1')]
      expect((await r2e(words, { cwd })).code).toBe(2)
      revoked = false
      expect(summaryOf(await r2e([...words, '--resume'], { cwd }))).toMatchObject({ admitted: 1, stop: 'exhausted' })
    },
    MINUTE,
  )
})

describe('the packages behind models', () => {
  const loaded = async (cwd: string, words: readonly string[]) => {
    const result = await r2e(words, { cwd, env: { NODE_OPTIONS: `--import=${hook}` } })
    expect(result.code).toBe(0)
    return ['/openai/', '/packages/model/'].filter((part) => result.stderr.includes(part))
  }
  const plain = ['generate', '--repo', './demo', '--pipeline', 'pr_diff', '--out', 'out', '--state-dir', 'state']

  it(
    'are loaded where something needs a model, and only there',
    async () => {
      const cwd = await project(1)
      const server = await serve()
      expect(await loaded(cwd, plain)).toEqual([])
      expect(await loaded(cwd, [...plain, '--append', '--llm', 'openai/none'])).toEqual([])
      expect(await loaded(cwd, [...at(server, '--price', '0,0'), '--append'])).toEqual(['/openai/', '/packages/model/'])
      expect(await entriesBelow(join(cwd, 'state/cache/replies'), () => false)).not.toEqual([])
    },
    MINUTE,
  )
})

const reason = await whyNoLocalSandbox()

describe.skipIf(reason !== undefined)(`instructions by a model${reason ? ` (${reason})` : ''}`, () => {
  const words = (server: ModelServer, out: string, ...more: string[]) => [
    ...[
      '--json',
      'generate',
      '--repo',
      './tally',
      '--pipeline',
      'commit_runtime',
      '--sandbox',
      'local',
      '--limit',
      '2',
    ],
    ...['--out', out, '--dataset-name', 'tally', '--state-dir', 'state', '--pipeline-opt', 'synthesize_with_llm=true'],
    ...['--qa-opt', 'determinism_runs=2', '--qa-opt', 'oracle_runs=1', '--max-spend-usd', '1', '--price', '1,2'],
    ...['--llm', 'custom/model', '--llm-endpoint', server.url, ...more],
  ]
  const report =
    '**Large totals are wrong**\n\n## Description\n\nA total of many items is too small. It should be the sum of all.'

  it(
    'are the report that it wrote, or the words of the authors where it tells a hidden test [C11]',
    async () => {
      const cwd = await project(0)
      await buildRepository(join(cwd, 'tally'), tinyHistory)
      const told = '**Empty lists fail**\n\n## Description\n\nAn empty list fails. The test is test_longest_of_nothing.'
      const server = await serve({
        answer: ({ messages }) => ({
          kind: 'reply',
          text: JSON.stringify(messages).includes('totals of more than nine') ? report : told,
          usage,
        }),
      })
      const made = await r2e(words(server, 'out'), { cwd })
      expect([made.code, made.stderr]).toEqual([0, ''])
      const { tasks, details } = summaryOf(made)
      const [rewritten, kept] = await Promise.all(
        tasks.map(async (task) => {
          const [text, toml] = await Promise.all(
            ['instruction.md', 'task.toml'].map((name) => readFile(join(cwd, 'out', task, name), 'utf8')),
          )
          return { text: text!, toml: toml! }
        }),
      )
      expect(rewritten!.text).toMatch(/^\*\*Large totals are wrong\*\*\n\n## Description\n\nA total of many items/)
      expect(rewritten!.toml).toMatch(/instruction_synthesized = true\nllm_cost_usd = 0\.00012\n/)
      expect(rewritten!.toml).toContain('synthesis_llm = "custom/model"')
      expect(kept!.text).toMatch(/^Fix the longest of no items/)
      expect(kept!.toml).toMatch(/instruction_synthesized = false\nllm_cost_usd = 0\.00024\n/)
      expect(kept!.toml).not.toContain('synthesis_llm')
      const asked = JSON.stringify(
        server.received.map(({ body }) => body?.messages.filter(({ role }) => role !== 'assistant')),
      )
      for (const secret of ['tally.py', 'def total', 'test_total_of_many', 'items[:9]'])
        expect(asked).not.toContain(secret)

      // The same inputs give the same bytes, and replies that are stored cost nothing.
      const before = calls(server)
      const again = await r2e(words(server, 'again'), { cwd })
      expect([again.code, calls(server) - before]).toEqual([0, 1])
      expect(summaryOf(again).tasks).toEqual(tasks)
      for (const task of tasks)
        expect(await readFile(join(cwd, 'again', task, 'task.toml'), 'utf8')).toBe(
          await readFile(join(cwd, 'out', task, 'task.toml'), 'utf8'),
        )
      expect([details.llm, summaryOf(again).details.llm]).toMatchObject([
        { phases: { probe: { calls: 1 } } },
        { calls: 1 },
      ])
    },
    5 * MINUTE,
  )
})
