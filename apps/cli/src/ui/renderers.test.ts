import { expect, it } from 'vitest'
import { memoryOutput } from '../__fixtures__/memory-output.ts'
import { sampleRun, sampleSummary } from '../__fixtures__/sample-run.ts'
import { createJsonRenderer } from './json-renderer.ts'
import { createLiveRenderer } from './live-renderer.ts'
import { createPlainRenderer } from './plain-renderer.ts'
import type { Renderer } from './renderer.ts'

const options = { dryRun: false, directory: '/home/me/work', limit: 2, now: () => 1000 }

function play(renderer: Renderer): void {
  for (const event of sampleRun) renderer.event(event)
  renderer.end(sampleSummary)
  renderer.dispose()
}

it('writes plain lines and the funnel into a pipe', () => {
  const output = memoryOutput()
  play(createPlainRenderer(output, options))
  expect(output.text()).toMatchInlineSnapshot(`
    "out| run 20260102-030405-abcd: commit_runtime on local/demo at 0123456789ab (resumed)
    err| warning: the clock went back by 3 s (clock_skew)
    out| skipped -cccccccccccc "Merge�[31m main" merge_commit
    out| emitted local__demo-aaaaaaaaaaaa "Fix the sum of nothing"
    out| failed  -dddddddddddd "Fix rounding" registry_unreachable (transient): no route to host
    out|
    out| candidates             4
    out|   merge_commit        -1
    out|   no_test_patch       -1
    out|   failed (transient)  -1
    out| emitted                1
    out|
    out| all candidates were looked at after 1 min 15 s, 87 % of the cores in tests
    out| dataset  ./dataset
    out| ledger   ./.r2e/runs/20260102-030405-abcd/ledger.jsonl
    out| next     the same command with --resume tries the transient failures again"
  `)
})

it('writes warnings and the funnel alone with --quiet', () => {
  const output = memoryOutput({ quiet: true })
  play(createPlainRenderer(output, options))
  expect(output.text().split('\n').slice(0, 3)).toEqual([
    'err| warning: the clock went back by 3 s (clock_skew)',
    'out|',
    'out| candidates             4',
  ])
})

it('says what is being worked on where a pipe hears nothing for a while', async () => {
  const output = memoryOutput()
  const renderer = createPlainRenderer(output, { ...options, silenceMs: 20 })
  const stage = { type: 'stage-start', id: '-aaaaaaaaaaaa', stage: 'environment', detail: 'python:3.13-slim' } as const
  for (const event of [sampleRun[0]!, stage]) renderer.event(event)
  await expect.poll(() => output.text()).toContain('environment -aaaaaaaaaaaa python:3.13-slim (0 s)')
  expect(output.text()).toContain('out| emitted 0/2 · skipped 0')
  renderer.dispose()
  const text = output.text()
  await new Promise((done) => setTimeout(done, 60))
  expect(output.text()).toBe(text)
})

it('adds stages and replayed candidates with --verbose', () => {
  const output = memoryOutput({ verbose: true })
  play(createPlainRenderer(output, options))
  expect(output.text()).toContain('out|   -aaaaaaaaaaaa observe … solved 2 of 3\n')
  expect(output.text()).toContain('out|   -aaaaaaaaaaaa observe 4100 ms\n')
  expect(output.text()).toContain('out| skipped -bbbbbbbbbbbb "Explain how to install" no_test_patch')
})

it('writes every event as one line of JSON, the summary last', () => {
  const output = memoryOutput({ json: true })
  play(createJsonRenderer(output))
  const lines = output.text().split('\n')
  expect(lines.map((line) => JSON.parse(line.replace(/^out\| /, '')))).toEqual(sampleRun)
  expect(output.text()).not.toMatch(/[\u007f-\u009f\u001b]/)
})

it('scrolls settled candidates by and leaves a clean terminal', () => {
  const output = memoryOutput()
  const drawn: string[] = []
  const draw = Object.assign((...text: string[]) => void drawn.push(`frame ${text.join(' ').split('\n')[0]}`), {
    clear: () => void drawn.push('clear'),
    done: () => void drawn.push('done'),
    persist: (...text: string[]) => void drawn.push(...text),
  })
  play(createLiveRenderer(output, { ...options, draw }))
  expect(drawn.slice(0, 3)).toEqual([
    'run 20260102-030405-abcd: commit_runtime on local/demo at 0123456789ab (resumed)',
    'warning: the clock went back by 3 s (clock_skew)',
    'skipped -cccccccccccc "Merge\ufffd[31m main" merge_commit',
  ])
  expect(drawn.slice(-2)).toEqual(['clear', 'done'])
  expect(output.text()).toContain('out| emitted                1')
})
