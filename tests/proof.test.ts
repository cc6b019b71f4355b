import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createConnection, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildRepository } from '../packages/testing/src/index.ts'
import { whyNoLocalSandbox } from './__fixtures__/local-sandbox.ts'
import { fixedModule, oddHistory } from './__fixtures__/odd-history.ts'
import { type R2eResult, r2e } from './__fixtures__/r2e.ts'
import { treeDigest } from './__fixtures__/tree-digest.ts'

const MINUTES = 60_000
const reason = await whyNoLocalSandbox()
const cwd = mkdtempSync(join(tmpdir(), 'r2e-proof-'))
const server = createServer((socket) => socket.end()).listen(0, '0.0.0.0')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
afterAll(() => {
  server.close()
  rmSync(cwd, { recursive: true, force: true })
})

/** Installs the fixed module as a release, where Python finds installed packages. */
const install = `/opt/venv/bin/python -c "import pathlib, sysconfig; pathlib.Path(sysconfig.get_path('purelib'), 'tally.py').write_text(${JSON.stringify(fixedModule).replaceAll('"', "'")})"`
/** A test that moves looks like a fix, or as if it passed, in all eight pairs of runs once in 30,000 times. */
const words = (out: string, state: string, ...more: string[]) => [
  ...['--json', 'generate', '--repo', './odd', '--pipeline', 'commit_runtime', '--sandbox', 'local'],
  ...['--out', out, '--dataset-name', 'odd', '--state-dir', state, '--qa-opt', 'determinism_runs=8', ...more],
]
const prepared = [
  '--test-cmd',
  'python3 -W ignore -m unittest -k test',
  '--setup',
  install,
  '--setup',
  'export TALLY_MODE=on',
]

describe.skipIf(reason !== undefined)(`a task of an odd repository${reason ? ` (${reason})` : ''}`, () => {
  let made: R2eResult
  let task: string
  let commit: string
  const read = (path: string) => readFileSync(join(cwd, 'out', task, path), 'utf8')
  const list = (path: string): string[] => JSON.parse(read(path))
  const filesOf = (folder: string) =>
    readdirSync(join(cwd, 'out', task, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))

  beforeAll(async () => {
    await buildRepository(join(cwd, 'odd'), oddHistory(port))
    made = await r2e(words('out', 'state', ...prepared), { cwd })
    expect(made).toMatchObject({ code: 0, stderr: '' })
    const [name] = readdirSync(join(cwd, 'out')).filter((entry) => entry.startsWith('local__'))
    task = name!
    commit = task.slice(-12)
  }, 6 * MINUTES)

  it('is made of a fix, and not of a change whose tests pass before it [A9]', () => {
    const ends = made.events.flatMap((event) => (event.type === 'candidate-end' ? [event.end] : []))
    // A test that moves may look like a fix in the first pair of runs: then it is found out in the next ones.
    const nothing = expect.stringMatching(/^(no_fail_to_pass|flaky)$/)
    expect(ends).toMatchObject([
      { state: 'skipped', reason: nothing },
      { state: 'admitted' },
      { state: 'skipped', reason: 'root_commit' },
    ])
  })

  it('is decided by its lists, though other tests of the file never pass [B12]', () => {
    expect(list('tests/f2p.json')).toEqual(['test_tally.TallyTest.test_mean_of_nothing'])
    expect(JSON.parse(readFileSync(join(cwd, 'out/manifest.json'), 'utf8')).tasks).toMatchObject([{ gold: 1, noop: 0 }])
  })

  it('has both lists, and the measured reward of doing nothing [B13 F15 G4]', () => {
    expect(list('tests/p2p.json')).toContain('test_tally.TallyTest.test_total')
    expect(read('task.toml')).toMatch(/^baseline_reward = 0$/m)
  })

  it('tests the work tree, not an installed release of the fix [E11 W14]', () => {
    expect(read('environment/Dockerfile')).toContain('purelib')
    expect(list('tests/f2p.json')).toHaveLength(1)
  })

  it('knows nothing of exports that a set-up step made in its own shell [I8]', () => {
    expect(read('environment/Dockerfile')).toContain('RUN export TALLY_MODE=on\n')
    expect(list('tests/p2p.json').join()).not.toContain('needs_an_export')
  })

  it('holds no test that reaches out of the sandbox, by an address that works outside [E2 E4 W17]', async () => {
    await once(createConnection(port, '127.0.0.1'), 'connect')
    expect(list('tests/p2p.json').join()).not.toContain('asks_the_machine')
  })

  it('holds no test that moves between runs [H1]', () => {
    expect(list('tests/p2p.json').join()).not.toContain('that_moves')
    expect(JSON.parse(readFileSync(join(cwd, 'out/manifest.json'), 'utf8')).tasks[0].quarantined).toEqual([
      'test_tally.TallyTest.test_that_moves',
    ])
  })

  it('keeps the words of the test command as arguments [W20 W7]', () => {
    const [command] = JSON.parse(read('tests/run.json')).commands
    expect(command.argv.slice(0, 3)).toEqual(['python3', '-W', 'ignore'])
    expect(command.argv).toContain('-k')
  })

  it('shows the agent neither the answer nor the hidden tests [E5 W2]', () => {
    const unpacked = execFileSync('tar', ['-xzOf', join(cwd, 'out', task, 'environment/base.tar.gz')], {
      encoding: 'utf8',
    })
    const rest = filesOf('environment').filter((path) => !path.endsWith('.gz'))
    const seen = [
      unpacked,
      read('instruction.md'),
      ...rest.filter((path) => !path.endsWith('Dockerfile')).map((path) => readFileSync(path, 'utf8')),
    ]
    expect(unpacked).toContain('def mean(items)')
    for (const text of seen) expect(text).not.toMatch(/if not items|test_mean_of_nothing|An empty mean/)
  })

  it('names neither the fix, nor a hidden test, nor a person in any text of its metadata [C9 C10 M4]', () => {
    const text = read('task.toml').replace(
      `commit_sha = "${execFileSync('git', ['-C', join(cwd, 'odd'), 'rev-parse', commit], { encoding: 'utf8' }).trim()}"`,
      '',
    )
    expect(text.replaceAll(task, '')).not.toMatch(
      new RegExp(`${commit}|Sentinel|mean_of_nothing|ZeroDivision|if not items`),
    )
  })

  it('is plain files but for the archive of the tree, with no tool of a vendor and no build argument [J4 J5 K9]', () => {
    for (const path of filesOf('.').filter((name) => !name.endsWith('base.tar.gz')))
      expect([path, readFileSync(path, 'utf8').includes('\uFFFD')]).toEqual([path, false])
    const lines = read('environment/Dockerfile').split('\n')
    expect(lines.filter((line) => /^ARG|claude|codex|openhands|aider|base64/i.test(line))).toEqual([])
  })

  it(
    'is the same byte for byte from another state and with another concurrency [W22 W25]',
    async () => {
      const again = await r2e(words('again', 'other', ...prepared, '--concurrency', '1'), { cwd })
      expect(again).toMatchObject({ code: 0, stderr: '' })
      expect(await treeDigest(join(cwd, 'again', task))).toEqual(await treeDigest(join(cwd, 'out', task)))
    },
    6 * MINUTES,
  )

  it(
    'is made again where the cache knows an environment whose layers are gone [I12]',
    async () => {
      for (const folder of ['sandbox', 'runs', 'blobs', 'cache/observations'])
        rmSync(join(cwd, 'state', folder), { recursive: true })
      const again = await r2e(words('third', 'state', ...prepared), { cwd })
      expect(again).toMatchObject({ code: 0, stderr: '' })
      expect(await treeDigest(join(cwd, 'third', task))).toEqual(await treeDigest(join(cwd, 'out', task)))
    },
    6 * MINUTES,
  )

  /** What a run comes to that makes no task: its exit code, and why each candidate was left out. */
  const refusal = async (...more: string[]) => {
    const { code, events } = await r2e(words('none', 'state', ...more), { cwd })
    const ends = events.flatMap((event) => (event.type === 'candidate-end' ? [event.end] : []))
    return [code, ...ends.map((end) => (end.state === 'skipped' ? `${end.reason}: ${end.detail}` : end.state))]
  }
  const root = expect.stringMatching(/^root_commit: /)

  it(
    'is never made of a command that runs no tests [B1 B14]',
    async () => {
      for (const [command, status] of [
        ['true', 'no_report'],
        ['python3 -m unittest --help', 'no_tests'],
      ] as const) {
        const seen = expect.stringMatching(`^no_tests_seen: the base: completed, ${status} \\(exit 0\\)`)
        expect(await refusal('--test-cmd', command)).toEqual([4, seen, seen, root])
      }
    },
    4 * MINUTES,
  )

  it(
    'is never made of an environment that does not build [K2]',
    async () => {
      const failed = 'environment_failed: step_failed at "RUN exit 3": the command ended with exit code 3'
      expect(await refusal(...prepared, '--setup', 'exit 3')).toEqual([4, failed, failed, root])
    },
    4 * MINUTES,
  )
})
