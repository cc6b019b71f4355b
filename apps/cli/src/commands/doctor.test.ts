import { mkdir, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { startModelServer } from '@r2e/testing'
import { expect, it } from 'vitest'
import { folder, r2e } from '../__fixtures__/spawn-cli.ts'
import { nodeCheck } from '../doctor/checks.ts'
import { programCheck } from '../doctor/program.ts'

interface Doctor {
  readonly ok: boolean
  readonly checks: readonly { name: string; ok: boolean; needed: boolean; detail: string; fix?: string }[]
}

it('says of everything whether it is there, what is needed, and how to mend it [W34]', async () => {
  const cwd = await folder({ '.env': 'GITHUB_TOKEN=hunter2secret\n' })
  const { code, stdout } = await r2e(['doctor', '--json'], { cwd, env: { HF_TOKEN: 'other-secret' } })
  const { ok, checks } = JSON.parse(stdout) as Doctor
  expect(code).toBe(ok ? 0 : 1)
  expect(ok).toBe(checks.every((check) => check.ok || !check.needed))
  const byName = Object.fromEntries(checks.map((check) => [check.name, check]))
  const names = [
    'node',
    'git',
    'python3',
    'sandbox docker',
    'sandbox local',
    'disk',
    '.env',
    'GITHUB_TOKEN',
    'HF_TOKEN',
  ]
  expect(Object.keys(byName)).toEqual(expect.arrayContaining(names))
  expect(byName.node).toMatchObject({ ok: true, needed: true })
  expect(byName.git?.detail).toMatch(/^\d+\.\d+/)
  expect(byName.GITHUB_TOKEN).toMatchObject({ ok: true, needed: false, detail: 'present' })
  expect(byName.HF_TOKEN?.detail).toBe('present')
  expect(byName['.env']?.detail).toBe(join(cwd, '.env'))
  expect(stdout).not.toMatch(/hunter2secret|other-secret/)
  for (const check of checks.filter((check) => check.needed && !check.ok)) expect(check.fix).toMatch(/\S/)
})

it('exits 1 where nothing can run, each line with its fix', async () => {
  const cwd = await folder()
  await mkdir(join(cwd, 'empty'))
  const env = { PATH: join(cwd, 'empty'), DOCKER_HOST: 'unix:///nowhere/docker.sock' }
  const { code, stdout } = await r2e(['doctor'], { cwd, env })
  expect(code).toBe(1)
  expect(stdout).toMatch(/^missing {2}git +not found\n +fix: /m)
  expect(stdout).toMatch(/^(?:absent {3}|missing {2})sandbox docker +.*\n +fix: /m)
  expect(stdout).toMatch(/^absent {3}HF_TOKEN /m)
  expect(stdout).toMatch(/not ready: mend what is missing above\n$/)
  expect(await readdir(cwd)).toEqual(['empty'])
})

it('asks a model that is named for one word, and says what is wrong with it', async () => {
  const key = 'sk-doctor-4242424242'
  await using server = await startModelServer({ key, answer: () => ({ kind: 'reply', text: 'ready' }) })
  const cwd = await folder()
  const check = async (value: string) => {
    const words = ['doctor', '--json', '--llm', 'custom/model', '--llm-endpoint', server.url, '--llm-key-env', 'MY_KEY']
    const { code, stdout } = await r2e(words, { cwd, env: { MY_KEY: value } })
    expect(stdout).not.toContain(value)
    return { code, model: (JSON.parse(stdout) as Doctor).checks.find(({ name }) => name === 'model') }
  }
  expect((await check(key)).model).toMatchObject({ ok: true, detail: 'custom/model answers' })
  const { code, model } = await check('sk-another-4242424242')
  expect(code).toBe(1)
  expect(model).toMatchObject({ ok: false, needed: true, fix: 'put a valid key into the variable MY_KEY' })
  expect((await r2e(['doctor', '--llm', 'gpt'], { cwd })).stderr).toMatch(/^bad_model: /)
  const unset = await r2e(['doctor', '--llm', 'openai/NAME'], { cwd })
  expect(unset.stdout).toMatch(/^missing {2}model +openai needs a key, and the variable OPENAI_API_KEY is not set$/m)
  expect(await readdir(cwd)).toEqual([])
})

it('refuses a Node that is too old and a program that is', async () => {
  expect(nodeCheck('22.21.9')).toMatchObject({ ok: false, fix: 'install Node 22.22 or newer' })
  expect(nodeCheck('22.22.0').ok).toBe(true)
  expect(nodeCheck('24.0.0').ok).toBe(true)
  expect(nodeCheck('20.99.0').ok).toBe(false)
  const argv = [process.execPath, '--version'] as const
  const program = { name: 'node', argv, least: [99, 0], needed: true, fix: 'newer' } as const
  expect(await programCheck(program)).toMatchObject({ ok: false, detail: expect.stringContaining('older than 99.0') })
  expect(await programCheck({ ...program, least: [18, 0] })).toMatchObject({ ok: true })
  expect(await programCheck({ ...program, argv: [join(dirname(process.execPath), 'no-such')] })).toMatchObject({
    ok: false,
    detail: 'not found',
    fix: 'newer',
  })
})
