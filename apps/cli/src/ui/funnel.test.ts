import type { JsonObject } from '@r2e/spec'
import { expect, it } from 'vitest'
import { sampleSummary } from '../__fixtures__/sample-run.ts'
import { funnelLines } from './funnel.ts'

const options = { dryRun: false, directory: '/home/me/work' }
const clean = { ...sampleSummary, failed: { transient: 0, bug: 0 }, candidates: 3 }

it('adds up: candidates, each reason, failures, undecided, emitted', () => {
  const summary = { ...sampleSummary, candidates: 7, stop: 'interrupted', failed: { transient: 1, bug: 1 } } as const
  expect(funnelLines(summary, options).join('\n')).toMatchInlineSnapshot(`
    "
    candidates             7
      merge_commit        -1
      no_test_patch       -1
      failed (transient)  -1
      failed (internal)   -1
      undecided           -2
    emitted                1

    interrupted after 1 min 15 s, 87 % of the cores in tests
    dataset  ./dataset
    ledger   ./.r2e/runs/20260102-030405-abcd/ledger.jsonl
    next     the same command with --resume"
  `)
})

it('says what a dry run would try', () => {
  const dry = {
    ...clean,
    admitted: 0,
    dataset: undefined,
    ledger: '',
    seconds: 3,
    efficiency: 0,
    details: { task_disk_bytes: 2_500_000, llm_cost_usd: 0 },
  }
  expect(funnelLines(dry, { ...options, dryRun: true }).join('\n')).toMatchInlineSnapshot(`
    "
    candidates        3
      merge_commit   -1
      no_test_patch  -1
    would be tried    1

    all candidates were looked at after 3 s
    estimate 2.5 MB of tasks at most, 0 USD of model calls
    next     the same command without --dry-run"
  `)
})

it('says what models cost, and what is not known of it [M2]', () => {
  const row = { calls: 2, input_tokens: 200, output_tokens: 20 }
  const lines = (llm: JsonObject) =>
    funnelLines({ ...clean, details: { llm } }, options).filter((line) => /^models/.test(line))
  const probe = { ...row, calls: 1, cost_usd: 0.5 }
  expect(
    lines({ ...row, cost_usd: 1.25, phases: { probe, judge: { ...row, cost_usd: 0.75, at_most: true } } }),
  ).toEqual(['models   1.2500 USD for 2 calls (probe 0.5000 USD, judge at most 0.7500 USD)'])
  expect(lines({ ...row, cost_usd: null, phases: { judge: { ...row, cost_usd: null } } })).toEqual([
    'models   an unknown cost, 220 tokens for 2 calls (judge an unknown cost, 220 tokens)',
  ])
  expect(funnelLines(clean, options).join('\n')).not.toContain('models')
})

const next = (summary: typeof sampleSummary, more = {}): string | undefined =>
  funnelLines(summary, { ...options, ...more }).at(-1)

it('ends with what to type next', () => {
  expect(next(clean)).toBe('next     r2e validate ./dataset --oracle --nop')
  expect(next(clean, { sandbox: ['--sandbox', 'local', '--sandbox-opt', 'rootfs=/my root'] })).toBe(
    "next     r2e validate ./dataset --oracle --nop --sandbox local --sandbox-opt 'rootfs=/my root'",
  )
  expect(next({ ...clean, dataset: "/data/it's here" })).toBe(
    `next     r2e validate '/data/it'\\''s here' --oracle --nop`,
  )
  expect(next({ ...clean, admitted: 0, tasks: [] })).toContain('r2e pipelines describe commit_runtime')
  expect(next({ ...clean, admitted: 0, candidates: 0, skipped: {} })).toContain('--ref')
  expect(next(sampleSummary)).toContain('--resume')
  expect(next({ ...clean, stop: 'interrupted' })).toContain('--resume')
  expect(next({ ...clean, stop: 'budget' })).toBe('next     the same command with a higher cap and --resume')
  expect(next({ ...clean, stop: 'interrupted' }, { dryRun: true })).toBe('next     the same command')
})
