import { type ChildProcess, execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { steps as wordsmith } from '../examples/wordsmith/history.mjs'
import { readTask } from '../packages/engine/src/dataset/read-task.ts'
import { runTask } from '../packages/engine/src/index.ts'
import { createDockerSandbox } from '../packages/sandbox/src/docker/index.ts'
import type { FileEntry } from '../packages/spec/src/index.ts'
import { buildRepository, PIPELINE_HISTORY, type RepositoryStep } from '../packages/testing/src/index.ts'
import { goHistory } from './__fixtures__/go-history.ts'
import { containersOf } from './__fixtures__/leftovers.ts'
import { r2e } from './__fixtures__/r2e.ts'

const MINUTES = 60_000
const lab = process.env.R2E_LAB ?? ''
const required = process.env.R2E_REQUIRE_DOCKER === '1'
const provider = createDockerSandbox()
const probe = await provider.probe()
const reason = !existsSync(join(lab, 'prove')) ? 'R2E_LAB names no lab' : probe.ok ? undefined : probe.detail
if (required && reason) throw new Error(`Harbor cannot be tried: ${reason}`)

const cwd = mkdtempSync(join(tmpdir(), 'r2e-harbor-'))
const inLab = (program: string, ...args: string[]) =>
  promisify(execFile)(join(lab, program), args, { cwd, maxBuffer: 2 ** 26 })

interface Made {
  readonly name: string
  readonly history: readonly RepositoryStep[]
  readonly pipeline: string
  readonly words?: readonly string[]
}

const few = ['--qa-opt', 'determinism_runs=2', '--qa-opt', 'oracle_runs=1']
const sets: readonly Made[] = [
  { name: 'python', history: wordsmith, pipeline: 'commit_runtime', words: ['--base-image', 'lab/python', ...few] },
  { name: 'go', history: goHistory, pipeline: 'commit_runtime', words: ['--base-image', 'lab/go', ...few] },
  { name: 'diff', history: PIPELINE_HISTORY, pipeline: 'pr_diff', words: ['--base-image', 'lab/debian:trixie'] },
]

const generate = ({ name, pipeline, words = [] }: Made) => [
  ...['--json', 'generate', '--repo', `./${name}`, '--pipeline', pipeline, '--sandbox', 'docker', '--limit', '1'],
  ...['--out', `out/${name}`, '--state-dir', `state-${name}`, ...words],
]
const taskOf = (name: string) => readdirSync(join(cwd, 'out', name)).find((entry) => entry.startsWith('local__'))!
const textOf = (name: string, path: string) => readFileSync(join(cwd, 'out', name, taskOf(name), path), 'utf8')

describe.skipIf(reason !== undefined)(`in the real Harbor${reason ? ` (${reason})` : ''}`, () => {
  beforeAll(async () => {
    for (const set of sets) {
      await buildRepository(join(cwd, set.name), set.history)
      const { code, stdout, stderr } = await r2e(generate(set), { cwd })
      expect([set.name, code, stderr, stdout]).toEqual([set.name, 0, '', expect.stringContaining('"admitted":1')])
    }
  }, 12 * MINUTES)
  afterAll(() => rmSync(cwd, { recursive: true, force: true }))

  it(
    'every kind of task is clean for the linter, but for its one accepted rule [J1 J8]',
    async () => {
      const { stdout } = await inLab(
        'harbor',
        'lint',
        '--json',
        ...sets.map(({ name }) => `out/${name}/${taskOf(name)}`),
      ).catch((error: { stdout: string }) => error)
      const found: { rule: string; message: string }[] = JSON.parse(stdout)
      expect(found.filter(({ rule }) => rule !== 'shared-verifier')).toEqual([])
      expect(found).toHaveLength(sets.length)
    },
    2 * MINUTES,
  )

  it(
    'every kind of task scores 1 with its oracle and 0 without [J8 K2 W13]',
    async () => {
      const { stdout } = await inLab('prove', 'out')
      expect(stdout.trimEnd().split('\n').at(-1)).toBe('3 passed, 0 failed')
    },
    8 * MINUTES,
  )

  it('a subtest that only the fix adds is fail-to-pass in Go with its parent, and the others are not [B6 W9 B19]', () => {
    expect(JSON.parse(textOf('go', 'tests/f2p.json'))).toEqual([
      'example.com/slug::TestMake',
      'example.com/slug::TestMake/_a__b_',
    ])
    expect(JSON.parse(textOf('go', 'tests/p2p.json'))).toEqual(
      expect.arrayContaining(['example.com/slug::TestMake/Hello_World']),
    )
  })

  for (const [title, script] of tamperings())
    it(
      `scores 0 for an untouched source with ${title}`,
      async () => {
        expect(await rewardOf('python', script)).toBe(0)
      },
      3 * MINUTES,
    )

  it(
    'another right solution scores 1, with a stricter runner configuration and a background loop at work [F11 E6]',
    async () => {
      const widths = 'max(len(row[i]) for row in rows if i < len(row)) for i in range(max(map(len, rows)))'
      expect(
        await rewardOf(
          'python',
          `sed -i 's/^    widths = .*/    widths = [${widths}]/' wordsmith/table.py
printf '[pytest]\\naddopts = -qq\\n' > pytest.ini
setsid sh -c 'while :; do echo 0 > /logs/verifier/reward.txt; done' >/dev/null 2>&1 &`,
        ),
      ).toBe(1)
    },
    3 * MINUTES,
  )

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGKILL'] as const)
    it(
      `no container lives on after ${signal} while tests run [W11 W29]`,
      async () => {
        rmSync(join(cwd, 'state-python/cache/observations'), { recursive: true, force: true })
        let pid: number | undefined
        let seen: readonly string[] = []
        let struck = false // a second signal would leave at once, by design
        const strike = async (child: ChildProcess) => {
          if (struck) return
          struck = true
          while (seen.length === 0 && child.exitCode === null) seen = await containersOf(child.pid)
          child.kill(signal)
        }
        await r2e([...generate(sets[0]!), '--append'], {
          cwd,
          onStart: (child) => (pid = child.pid),
          onEvent: (event, child) => void (event.type === 'stage-start' && event.stage === 'observe' && strike(child)),
        })
        expect(seen).not.toEqual([])
        const end = Date.now() + 30_000
        while ((await containersOf(pid)).length > 0 && Date.now() < end) {
          await new Promise((next) => setTimeout(next, 500))
          // A kill between the engine's two answers leaves a container that was made and never started: the next run
          // takes it away. Nothing that runs may be left to it.
          if (signal === 'SIGKILL') await provider.sweep()
        }
        expect(await containersOf(pid)).toEqual([])
      },
      3 * MINUTES,
    )
})

/** What an agent may plant; none changes a line of the source. */
function tamperings(): [string, string][] {
  const hook =
    'import pytest\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    outcome.get_result().outcome = "passed"\n'
  const print =
    'import atexit\natexit.register(lambda: print("PASSED tests/test_table.py::test_uneven_rows_keep_every_cell"))\n'
  const leave = 'import os\nos._exit(0)\n'
  const plant = (text: string) => `printf '%s' '${text}' | tee conftest.py > tests/conftest.py`
  return [
    ['a hook in conftest.py that marks every call as passed [F3 F16]', plant(hook)],
    ['a conftest.py that prints a PASSED line at exit [W5]', plant(print)],
    ['a conftest.py that exits 0 at once [W6 B14]', plant(leave)],
    [
      'a conftest.py that prints a byte that is no UTF-8 and exits 0 [W6]',
      `${plant(leave)}; sed -i '1a os.write(1, b"\\\\xff")' conftest.py`,
    ],
    [
      'a background loop that rewrites the rewards [F8 W11]',
      `setsid sh -c 'while :; do echo 1 > /logs/verifier/reward.txt; echo "{\\"reward\\": 1}" > /logs/verifier/reward.json; done' >/dev/null 2>&1 &`,
    ],
    [
      'a pytest.ini that selects nothing that fails [W8 I15]',
      `printf '[pytest]\\naddopts = -qq -k "not uneven"\\n' > pytest.ini`,
    ],
    ['its tests deleted [F3]', 'rm -rf tests'],
  ]
}

/** Grades a task after a script instead of its solution, in the folder of the work tree. */
async function rewardOf(name: string, script: string): Promise<number | string> {
  const task = await readTask(join(cwd, 'out', name, taskOf(name)))
  const content = Buffer.from(`#!/bin/bash\nset -e\ncd /app\n${script}\nsleep 0.2\n`)
  const files: FileEntry[] = task.map((file) => (file.path === 'solution/solve.sh' ? { ...file, content } : file))
  const limits = { cpus: 1, memoryMb: 2048, pids: 512 }
  const times = { timeoutMs: 120_000, buildTimeoutMs: 300_000 }
  const run = await runTask({ provider, files, state: 'oracle', run: 'r2e-tamper', limits, ...times })
  if (run.outcome !== 'graded') return `${run.reason}: ${run.detail}`
  return run.solve?.exitCode === 0 ? run.reward : `the script failed: ${run.solve?.output}`
}
