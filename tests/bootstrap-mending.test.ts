import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { buildRepository, startModelServer } from '../packages/testing/src/index.ts'
import { SYSTEM_PATH, whyNoLocalSandbox } from './__fixtures__/local-sandbox.ts'
import { call, FILES, script } from './__fixtures__/mending.ts'
import { r2e as run } from './__fixtures__/r2e.ts'

const reason = await whyNoLocalSandbox()
const cwd = mkdtempSync(join(tmpdir(), 'r2e-bootstrap-mending-'))
beforeAll(() => buildRepository(join(cwd, 'demo'), [{ commit: 'Start the demo', files: FILES }]))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

const key = 'sk-mending-4242424242'
const recipe = call('write_recipe', {
  rebuild_cmds: [],
  project_cmds: [],
  test_cmds: ['python3 -m unittest'],
  summary: 'a variable was missing',
  env: { NEEDED: 'yes' },
})

/** Its suite does not load without a variable, so no inferred recipe shows a test that passes. */
async function bootstrap(answer: Parameters<typeof startModelServer>[0]['answer'], ...more: string[]) {
  return await bootstrapWith(key, answer, more)
}

async function bootstrapWith(
  held: string,
  answer: Parameters<typeof startModelServer>[0]['answer'],
  more: readonly string[] = [],
) {
  const server = await startModelServer({ key, answer })
  onTestFinished(() => server[Symbol.asyncDispose]())
  const model = ['--llm', 'custom/model', '--llm-endpoint', server.url, '--llm-key-env', 'MY_KEY', '--price', '1,2']
  const words = ['--json', 'bootstrap', '--repo', './demo', '--sandbox', 'local', '--state-dir', 'state']
  const made = await run([...words, ...model, ...more], { cwd, env: { PATH: SYSTEM_PATH, MY_KEY: held } })
  return { ...made, server, types: made.events.map(({ type }) => String(type)) }
}

const probed = (answer: ReturnType<typeof script>): ReturnType<typeof script> => {
  return (request, index) => (index === 0 ? { kind: 'reply', text: 'ready' } : answer(request, index - 1))
}

describe.skipIf(reason !== undefined)('r2e bootstrap with a model', () => {
  it('ends with what the model is wrong in, before anything runs [I13]', async () => {
    const { code, stderr, types } = await bootstrapWith('sk-another-4242424242', () => ({ kind: 'reply', text: 'a' }))
    expect([code, types]).toEqual([2, ['bootstrap-start']])
    expect(stderr).toMatch(/^model_key_refused: /)
  })

  it('says how mending ended where it gave nothing, and what it cost', async () => {
    const giving = call('give_up', { reason: 'this needs a database' })
    const { code, stderr, events, types } = await bootstrap(probed(script(giving)))
    expect([code, types.filter((type) => type.startsWith('mend'))]).toEqual([1, ['mend-start', 'mend-end']])
    expect(events.find(({ type }) => String(type) === 'mend-end')).toMatchObject({
      outcome: 'gave_up',
      detail: 'this needs a database',
      iterations: 1,
    })
    expect(stderr).toContain('mending ended with gave_up: this needs a database')
  })

  it('stops at the cap of the agent, which is inside that of the run [M1]', async () => {
    const { code, stderr } = await bootstrap(probed(script(recipe)), '--bootstrap-opt', 'max_llm_spend_usd=0.001')
    expect(code).toBe(1)
    expect(stderr).toContain('mending ended with cost_budget: ')
  })

  it('proves the recipe that the model wrote, stores it, and asks nobody the next time [I8 D10]', async () => {
    const made = await bootstrap(probed(script(call('run', { command: `echo ${key}; false` }), recipe)))
    expect([made.code, made.stderr]).toEqual([0, ''])
    const { record } = made.events.at(-1) as unknown as { record: Record<string, unknown> }
    expect(record).toMatchObject({
      strategy: 'agent',
      iterations: 2,
      llm_provider: 'custom/model',
      llm_cost_estimate_usd: expect.any(Number),
      verify_passed: true,
    })
    expect(record.dockerfile_reconstruction).toContain('ENV NEEDED="yes"')
    const ledgers = readdirSync(join(cwd, 'state/spend')).map((name) =>
      readFileSync(join(cwd, 'state/spend', name), 'utf8'),
    )
    expect(ledgers.filter((text) => text.match(/"phase":"bootstrap"/g)?.length === 2)).toHaveLength(1)
    for (const folder of ['envs', 'state/spend', 'state/cache'])
      for (const found of readdirSync(join(cwd, folder), { recursive: true, withFileTypes: true })) {
        const path = join(found.parentPath, found.name)
        if (found.isFile()) expect([path, readFileSync(path).includes(key)]).toEqual([path, false])
      }

    const again = await bootstrap(() => ({ kind: 'reply', text: 'never' }))
    expect([again.code, again.server.received.length]).toEqual([0, 0])
    expect(again.types).toEqual(['bootstrap-start', 'bootstrap-end'])
  })
})
