import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildRepository, PIPELINE_HISTORY } from '@r2e/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inProcess } from '../__fixtures__/in-process.ts'
import { folder, r2e } from '../__fixtures__/spawn-cli.ts'
import { createProvider } from '../compose/sandboxes.ts'

let made: string

beforeAll(async () => {
  made = await mkdtemp(join(tmpdir(), 'r2e-cli-'))
  await buildRepository(join(made, 'demo'), PIPELINE_HISTORY)
  const words = ['generate', '--repo', './demo', '--pipeline', 'pr_diff', '--out', './out', '--limit', '1']
  await inProcess(words, { cwd: made, env: { PATH: process.env.PATH ?? '' } })
})

afterAll(() => rm(made, { recursive: true, force: true }))

/** A folder with its own copy of a dataset of one task. */
async function dataset(): Promise<string> {
  const cwd = await folder()
  await cp(join(made, 'out'), join(cwd, 'out'), { recursive: true })
  return cwd
}

it('finds the tasks of a dataset valid', async () => {
  const { code, stdout } = await r2e(['validate', 'out'], { cwd: await dataset() })
  expect(stdout).toBe('valid    local__demo-5\nall 1 task valid (0 errors, 0 warnings)\n')
  expect(code).toBe(0)
})

it('reports a falsified instruction, exit 1 [W34]', async () => {
  const cwd = await dataset()
  await writeFile(join(cwd, 'out/local__demo-5/instruction.md'), 'Do nothing.\n')
  const { code, stdout } = await r2e(['validate', 'out'], { cwd })
  expect(stdout).toMatch(/^error +local__demo-5 content_hash_\w+: .*$/m)
  expect(stdout).toMatch(/^invalid +local__demo-5\n1 of 1 task invalid \(\d errors?, 0 warnings\)\n$/m)
  expect(code).toBe(1)
})

it('sees a verifier that was replaced with --deep', async () => {
  const cwd = await dataset()
  await writeFile(join(cwd, 'out/local__demo-5/tests/test.sh'), '#!/bin/bash\nexit 0\n')
  expect((await inProcess(['validate', 'out'], { cwd })).code).toBe(0)
  const { code, stdout } = await inProcess(['validate', 'out', '--deep'], { cwd })
  expect(code).toBe(1)
  expect(stdout).toMatch(/^error /m)
})

it('takes a task of others in both versions of the schema, with one warning', async () => {
  for (const version of ['version = "1.0"', 'schema_version = "1.3"']) {
    const cwd = await folder({ 'task.toml': `${version}\n[task]\nname = "a/b"\n` })
    const { code, stdout } = await inProcess(['validate', '.'], { cwd })
    expect(stdout).toMatch(/^warning +\. repo2env_missing: .*\nvalid +\.\nall 1 task valid \(0 errors, 1 warning\)$/)
    expect(code).toBe(0)
  }
})

it('exits 1 where there is no task', async () => {
  const { code, stderr } = await r2e(['validate', '/nowhere'])
  expect(stderr).toMatch(/^no_tasks: there is no task\.toml at or below \/nowhere\n {2}fix: /)
  expect(code).toBe(1)
})

it('streams events with --json, the summary last', async () => {
  const { stdout } = await r2e(['validate', 'out', '--json'], { cwd: await dataset() })
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(events.map(({ type }) => type)).toEqual(['task-start', 'task-end', 'validate-end'])
  expect(events.at(-1)).toMatchObject({ summary: { ok: true, tasks: 1, valid: 1 } })
})

it('runs oracle and no-op --runs times', async ({ skip }) => {
  const cwd = await dataset()
  const context = { environment: process.env, home: tmpdir(), signal: new AbortController().signal } as never
  const probe = await (await createProvider('local', { rootfs: null, stateDirectory: cwd, context })).probe()
  if (!probe.ok) skip(`no local sandbox: ${probe.detail}`)
  const words = ['validate', 'out', '--json', '--oracle', '--nop', '--runs', '2', '--sandbox', 'local']
  const { code, stdout } = await r2e(words, { cwd })
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const runs = events.filter(({ type }) => type === 'task-run')
  expect(runs.map(({ state, turn, run }) => [state, turn, run.outcome, run.reward])).toEqual([
    ['oracle', 1, 'graded', 1],
    ['oracle', 2, 'graded', 1],
    ['nop', 1, 'graded', 0],
    ['nop', 2, 'graded', 0],
  ])
  expect(events.at(-1)).toMatchObject({ summary: { ok: true, runs: 4 } })
  expect(stdout).not.toContain('"log"')
  expect(code).toBe(0)
}, 120_000)

it('refuses flags that make no sense', async () => {
  const fault = async (...words: string[]) =>
    inProcess(['validate', 'out', ...words], { env: { DOCKER_HOST: 'unix:///nowhere' } }).catch((error) => error)
  expect(await fault('--runs', '2')).toMatchObject({ code: 'conflict' })
  expect(await fault('--runs', 'x', '--nop')).toMatchObject({ code: 'wrong_value' })
  expect(await fault('--nop', '--sandbox', 'dokcer')).toMatchObject({
    code: 'wrong_value',
    fix: 'did you mean docker?',
  })
  expect(await fault('--nop', '--sandbox-opt', 'rotfs=/x')).toMatchObject({
    code: 'unknown_key',
    fix: 'did you mean rootfs?',
  })
})

it('leaves the dataset as it is', async () => {
  const cwd = await dataset()
  const before = await readFile(join(cwd, 'out/manifest.json'), 'utf8')
  await inProcess(['validate', 'out', '--deep'], { cwd })
  expect(await readFile(join(cwd, 'out/manifest.json'), 'utf8')).toBe(before)
})
