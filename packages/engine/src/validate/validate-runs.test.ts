import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeSandboxes, sandboxes } from '../observe/__fixtures__/sandboxes.ts'
import { makeDataset } from './__fixtures__/make-dataset.ts'
import { type ValidateOptions, validate } from './validate.ts'
import type { ValidateEvent } from './validate-event.ts'

const root = mkdtempSync(join(tmpdir(), 'r2e-validate-runs-'))
const tested = await sandboxes()
const working = tested.find((sandbox) => sandbox.ok)
let dataset: string

beforeAll(async () => {
  dataset = await makeDataset(root, { similarity: true })
})
afterAll(() => {
  rmSync(root, { recursive: true, force: true })
  removeSandboxes()
})

const TASK = 'acme__calc-0123456789ab'

async function run(path: string, options: ValidateOptions = {}) {
  const lines: string[] = []
  const events = validate(path, { sandbox: working?.provider, oracle: true, nop: true, ...options })
  for (let next = await events.next(); ; next = await events.next()) {
    if (next.done) return { lines, summary: next.value }
    lines.push(...line(next.value))
  }
}

function line(event: ValidateEvent): string[] {
  if (event.type === 'finding') return [`${event.level} ${event.code}`]
  if (event.type !== 'task-run') return []
  return [`${event.state} ${event.run.outcome === 'graded' ? event.run.reward : event.run.reason}`]
}

/** A copy of the executed task with one file changed. */
function changed(path: string, change: (text: string) => string): string {
  const copy = join(mkdtempSync(join(root, 'copy-')), TASK)
  cpSync(join(dataset, TASK), copy, { recursive: true })
  writeFileSync(join(copy, path), change(readFileSync(join(copy, path), 'utf8')))
  return copy
}

for (const { provider, ok, detail } of tested)
  it.skipIf(!ok)(
    `each task earns 1 with its oracle and 0 without in the ${provider.name} sandbox (${detail}) [F4 F8 W13]`,
    { timeout: 240_000 },
    async () => {
      const { lines, summary } = await run(dataset, { sandbox: provider })
      expect(lines).toEqual(['oracle 1', 'nop 0', 'oracle 1', 'nop 0'])
      expect(summary).toEqual({ ok: true, tasks: 2, valid: 2, errors: 0, warnings: 0, runs: 4 })
    },
  )

describe.skipIf(!working)('validate with runs (needs a sandbox)', { timeout: 240_000 }, () => {
  it('runs as often as it is asked to', async () => {
    const { lines, summary } = await run(join(dataset, TASK), { oracle: false, runs: 2 })
    expect(lines).toEqual(['nop 0', 'nop 0'])
    expect(summary.runs).toBe(2)
  })

  it('reports an image that cannot be built, once', async () => {
    const broken = changed('environment/Dockerfile', (text) => text.replace('STOPSIGNAL', 'RUN exit 7\nSTOPSIGNAL'))
    const { lines, summary } = await run(broken)
    expect(lines).toEqual(['oracle step_failed', 'error step_failed'])
    expect(summary.ok).toBe(false)
  })

  it('reports that nothing was run where the Dockerfile is gone', async () => {
    const copy = changed('instruction.md', (text) => text)
    rmSync(join(copy, 'environment/Dockerfile'))
    expect((await run(copy)).lines).toEqual(['error dockerfile_missing', 'warning not_run'])
  })

  it('reports a grader that scores everything', async () => {
    const lax = changed('tests/test.sh', () => '#!/bin/bash\necho \'{"reward": 1}\' > /logs/verifier/reward.json\n')
    expect((await run(lax)).lines).toEqual(['error grader_changed', 'oracle 1', 'nop 1', 'error nop_scores'])
  })

  it('reports a grader that scores nothing', async () => {
    const silent = changed('tests/test.sh', () => '#!/bin/bash\nexit 0\n')
    const { lines } = await run(silent, { nop: false })
    expect(lines).toEqual(['error grader_changed', 'oracle no_reward', 'error no_reward'])
  })

  it('reports a test of the list that no run ever shows [L10]', async () => {
    const invented = changed('tests/f2p.json', (text) =>
      JSON.stringify([...JSON.parse(text), 'tests.test_calc.Calc.test_none']),
    )
    const { lines } = await run(invented, { nop: false })
    expect(lines).toEqual(['error f2p_count', 'oracle 0.5', 'error oracle_not_one'])
  })

  it('reports a solution that changes something else', async () => {
    const patch =
      'diff --git a/unrelated.txt b/unrelated.txt\n--- a/unrelated.txt\n+++ b/unrelated.txt\n@@ -1 +1 @@\n-one\n+two\n'
    const { lines } = await run(
      changed('solution/patch.diff', () => patch),
      { nop: false },
    )
    expect(lines).toEqual(['error content_hash_mismatch', 'oracle 0', 'error oracle_not_one'])
  })
})
