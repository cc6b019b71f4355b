import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { buildRepository } from '../packages/testing/src/index.ts'
import { whyNoLocalSandbox } from './__fixtures__/local-sandbox.ts'
import { r2e } from './__fixtures__/r2e.ts'

const reason = await whyNoLocalSandbox()
const cwd = mkdtempSync(join(tmpdir(), 'r2e-whole-suite-'))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

const half = (body: string) => `def half(number):\n    return ${body}\n`
const tests = (...names: string[]) =>
  [
    'from half import half',
    ...names.map((name, at) => `def test_${name}():\n    assert half(${at}) == ${at / 2}`),
  ].join('\n\n\n')

/** One test file ends the interpreter as it is loaded: no run of the whole suite leaves a report. */
const history = [
  {
    commit: 'Start',
    files: {
      'half.py': half('number // 2'),
      'tests/unit/test_half.py': `${tests('nothing')}\n`,
      'tests/device/test_device.py': 'import os\n\nos._exit(7)\n\n\ndef test_device():\n    pass\n',
      'requirements.txt': 'pytest\n',
    },
  },
  {
    commit: 'Fix halves of odd numbers, which lost their fraction',
    files: { 'half.py': half('number / 2'), 'tests/unit/test_half.py': `${tests('nothing', 'odd')}\n` },
  },
]

it.skipIf(reason !== undefined)(
  'a suite that cannot run as a whole gives a task of the touched files, and the task says so',
  async () => {
    await buildRepository(join(cwd, 'half'), history)
    const words = ['--json', 'generate', '--repo', './half', '--pipeline', 'commit_runtime', '--sandbox', 'local']
    const made = await r2e([...words, '--out', 'out', '--state-dir', 'state'], { cwd })
    expect(made).toMatchObject({ code: 0, stderr: '' })
    const task = join(cwd, 'out', readdirSync(join(cwd, 'out')).find((name) => name.startsWith('local__'))!)
    const plan = JSON.parse(readFileSync(join(task, 'tests/run.json'), 'utf8'))
    expect(plan.coverage).toBe('touched')
    expect(plan.commands[0].argv.at(-1)).toBe('tests/unit/test_half.py')
    expect(readFileSync(join(task, 'task.toml'), 'utf8')).toMatch(/^test_coverage = "touched"$/m)
    expect(JSON.parse(readFileSync(join(task, 'tests/f2p.json'), 'utf8'))).toEqual([
      'tests/unit/test_half.py::test_odd',
    ])
  },
  180_000,
)
