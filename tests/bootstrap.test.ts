import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildRepository } from '../packages/testing/src/index.ts'
import { SYSTEM_PATH, whyNoLocalSandbox } from './__fixtures__/local-sandbox.ts'
import { type R2eOptions, r2e as run } from './__fixtures__/r2e.ts'
import { tinyHistory } from './__fixtures__/tiny-history.ts'

const reason = await whyNoLocalSandbox()
const cwd = mkdtempSync(join(tmpdir(), 'r2e-bootstrap-'))
beforeAll(() => buildRepository(join(cwd, 'tally'), tinyHistory.slice(0, 3)))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

const r2e = (line: readonly string[], options: R2eOptions) =>
  run(line, { ...options, env: { PATH: SYSTEM_PATH, ...options.env } })
const words = ['bootstrap', '--repo', './tally', '--sandbox', 'local', '--state-dir', 'state']
const make = (...more: string[]) => r2e([...words, ...more], { cwd })
const typesOf = ({ events }: Awaited<ReturnType<typeof r2e>>) => events.map(({ type }) => String(type))
const testOf = (name: string) =>
  `import unittest\nfrom a import ${name}\n\n\nclass ATest(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(${name}, 1)\n`
const plain = (text: string) =>
  text
    .replaceAll(/\(\d+(?:\.\d+)? s\)/g, '(N s)')
    .replaceAll(/[0-9a-f]{12}(?=__|:| |\))/g, 'SHA12')
    .replaceAll(/__[0-9a-f]{8}\b/g, '__OPTS8')
    .replaceAll(cwd, 'CWD')
    .replaceAll(/r2e-local\/[0-9a-f]{16}/g, 'IMAGE')

describe.skipIf(reason !== undefined)('r2e bootstrap', () => {
  it('is run by two processes at once and builds once [W29]', async () => {
    const both = await Promise.all([make('--json'), make('--json')])
    expect(both.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ])
    const built = both.filter((each) => typesOf(each).includes('proof-start'))
    expect(built).toHaveLength(1)
    const [waited] = both.filter((each) => !built.includes(each))
    expect(typesOf(waited!)).toEqual(['bootstrap-start', 'lock-wait', 'bootstrap-end'])
    const records = both.map(({ events }) => (events.at(-1) as unknown as { record: unknown }).record)
    expect(records[0]).toEqual(records[1])
  }, 180_000)

  it('answers from the store in less than two seconds, and says what to type next [D10]', async () => {
    const times: number[] = []
    const timed = async () => {
      const started = performance.now()
      const made = await make()
      times.push(performance.now() - started)
      return made
    }
    const [{ code, stdout, stderr }] = [await timed(), await timed(), await timed()]
    // The best of three, and on a busy machine in the measure of a command that only reads a few files.
    const begun = performance.now()
    await r2e(['bootstrap', 'list'], { cwd })
    expect(Math.min(...times)).toBeLessThan(Math.max(2000, 4 * (performance.now() - begun)))
    expect([code, stderr]).toEqual([0, ''])
    const lines = plain(stdout).split('\n')
    expect(lines.slice(0, 2)).toEqual([
      expect.stringMatching(/^bootstrap local\/tally at SHA12 \(local, linux\/(?:amd|arm)64\)$/),
      expect.stringMatching(/^stored +proven at .*; nothing was built or run$/),
    ])
    expect(lines.slice(-5)).toEqual([
      'tests    /opt/venv/bin/python -m pytest --rootdir=. -o addopts= -o junit_family=xunit1 -o junit_logging=no --continue-on-collection-errors --color=no -p no:randomly test_tally.py',
      'verified built from nothing at SHA12: 5 of 6 tests passed, 5 of 6 tests passed; the runs agree',
      'stored   CWD/envs/local__tally/SHA12__OPTS8',
      'image    IMAGE',
      'next     r2e generate --repo ./tally --sandbox local --state-dir state --pipeline commit_runtime --out ./dataset',
    ])
  }, 120_000)

  it('ends with 1 and three hints where no recipe works, and leaves the log', async () => {
    const { code, stdout, stderr } = await make(
      '--setup',
      'echo what is missing; exit 9',
      '--test-cmd',
      'python3 -m unittest',
    )
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/^failed +1 environment_failed: step_failed at "RUN echo/m),
    ])
    expect(stderr).toMatch(
      /^bootstrap_failed: no environment of local\/tally at [0-9a-f]{12} runs its tests: \d recipes? w\w+ tried; environment_failed: .*\n {2}fix: --\S+ .*; --\S+ .*; --\S+ .*; what was tried is in (\S+)\n$/,
    )
    const log = /what was tried is in (\S+)/.exec(stderr)![1]!
    expect(readFileSync(log, 'utf8')).toContain('what is missing')
  }, 120_000)

  it('that was killed in the middle leaves nothing in the way of the next [W29]', async () => {
    for (const moment of ['attempt-start', 'proof-start']) {
      const killed = await r2e([...words, '--json', '--cache-dir', 'killed'], {
        cwd,
        onEvent: ({ type }, child) => String(type) === moment && child.kill('SIGKILL'),
      })
      expect(killed.signal).toBe('SIGKILL')
    }
    const next = await make('--json', '--cache-dir', 'killed')
    expect([next.code, next.stderr, typesOf(next).at(-1)]).toEqual([0, '', 'bootstrap-end'])
    expect(typesOf(next)).not.toContain('lock-wait')
    expect(typesOf(await make('--json', '--cache-dir', 'killed'))).toEqual(['bootstrap-start', 'bootstrap-end'])
  }, 180_000)

  it('keeps no token in what it stores or prints [I3]', async () => {
    const env = { GITHUB_TOKEN: 'sentinel-0123', MY_TOKEN: 'sentinel-0123', R2E_REPO__AUTH_TOKEN_ENV: 'MY_TOKEN' }
    const { code, stdout, stderr } = await r2e([...words, '--json', '--force'], { cwd, env })
    expect(code).toBe(0)
    const stored = ['envs', 'state/cache'].flatMap((folder) =>
      readdirSync(join(cwd, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1')),
    )
    expect(stored.length).toBeGreaterThan(5)
    expect([stdout, stderr, ...stored].filter((text) => text.includes('sentinel-0123'))).toEqual([])
  }, 120_000)

  it('makes the environment of the ref, not of the newest commit, also from a bare repository [I1 I2]', async () => {
    const { commits } = await buildRepository(
      join(cwd, 'older.git'),
      [
        { commit: 'Start', files: { 'a.py': 'A = 1\n', 'test_a.py': testOf('A'), 'requirements.txt': '' } },
        { commit: 'Need more', files: { 'requirements.txt': 'no-such-package-of-ours==9.9\n' } },
      ],
      { bare: true },
    )
    const at = (ref: string) =>
      r2e(
        ['bootstrap', '--repo', './older.git', '--ref', ref, '--sandbox', 'local', '--state-dir', 'state', '--json'],
        { cwd },
      )
    const older = await at(commits[0]!.slice(0, 10))
    expect([older.code, older.stderr]).toEqual([0, ''])
    expect(older.events.at(-1)).toMatchObject({ record: { ref: commits[0] } })
    const newest = await at('HEAD')
    expect(newest.code).toBe(1)
    expect(newest.stdout).toContain('no-such-package-of-ours')
  }, 180_000)

  it('lists, shows, proves again and removes what it stored', async () => {
    const list = await r2e(['bootstrap', 'list', '--json'], { cwd })
    const environments = JSON.parse(list.stdout).environments.filter(
      ({ repo }: { repo: string }) => repo === 'local/tally',
    )
    expect(environments).toMatchObject([
      { repo: 'local/tally', language: 'python', strategy: 'recipe', sandbox: 'local' },
    ])
    const [{ id }] = environments
    expect((await r2e(['bootstrap', 'list'], { cwd })).stdout).toContain(`${id}  python, pytest, local, inferred, `)
    const show = JSON.parse((await r2e(['bootstrap', 'show', 'local__tally', '--json'], { cwd })).stdout)
    expect(show).toMatchObject({ id, record: { runner: 'pytest' }, proof: { runs: [{ seen: 6 }, { seen: 6 }] } })
    expect((await r2e(['bootstrap', 'show', show.record.ref.slice(0, 8)], { cwd })).stdout).toMatch(/^FROM /m)
    expect(await r2e(['bootstrap', 'show', 'nothing'], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^no_environment: .*\n {2}fix: one of them is local__\w+\//),
    })

    const again = await r2e(['bootstrap', 'rebuild', id, '--json', '--state-dir', 'state'], { cwd })
    expect([again.code, again.stderr]).toEqual([0, ''])
    expect(typesOf(again)).toEqual(['bootstrap-start', 'recipe-inferred', 'proof-start', 'proof-end', 'bootstrap-end'])

    const prune = (...more: string[]) => r2e(['bootstrap', 'prune', '--state-dir', 'state', ...more], { cwd })
    expect(await prune()).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^missing_value: .*\n {2}fix: .*--older-than/),
    })
    expect((await prune('--older-than', '1d')).stdout).toBe('0 of 2 environments removed')
    expect((await prune('--all', '--dry-run')).stdout).toContain(`would go ${id}\n2 of 2 environments would go`)
    expect((await prune(id)).stdout).toBe(`removed  ${id}\n1 of 2 environments removed`)
    expect((await prune('--all')).code).toBe(0)
    expect(readdirSync(join(cwd, 'envs/recipes'))).toEqual([])
    expect((await r2e(['bootstrap', 'list'], { cwd })).stdout).toContain('there is no environment in')
  }, 120_000)
})
