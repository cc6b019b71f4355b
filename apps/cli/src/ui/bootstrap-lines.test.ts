import type { BootstrapEvent } from '@r2e/bootstrap'
import { expect, it } from 'vitest'
import { bootstrapLines } from './bootstrap-lines.ts'

const origin = [
  { fact: 'requires-python >=3.9', file: 'pyproject.toml' },
  { fact: 'pins \u001b[31mred', file: 'uv.lock' },
]
const facts = { language: 'python', runner: 'pytest', origin }
const events: readonly BootstrapEvent[] = [
  {
    type: 'bootstrap-start',
    repo: 'local/demo',
    ref: 'HEAD',
    commit: 'a'.repeat(40),
    sandbox: 'docker',
    platform: 'linux/amd64',
  },
  { type: 'lock-wait', path: '/envs/x' },
  { type: 'recipe-inferred', recipe: 1, source: 'inferred', differs_in: [], base_image: 'python:3.12', ...facts },
  {
    type: 'recipe-inferred',
    recipe: 2,
    source: 'stored',
    differs_in: ['baseImage', 'env'],
    base_image: 'python:3.9',
    ...facts,
    origin: [],
  },
  { type: 'attempt-start', recipe: 1, base_image: 'python:3.12' },
  {
    type: 'attempt-end',
    recipe: 1,
    seconds: 12.5,
    ok: false,
    reason: 'environment_failed',
    detail: 'step_failed at "RUN x": no',
    step: 'RUN x',
  },
  { type: 'attempt-end', recipe: 2, seconds: 3, ok: true, seen: 10, passed: 9 },
  { type: 'mend-start', transcript: '/envs/logs/t.jsonl' },
  { type: 'mend-end', outcome: 'gave_up', detail: 'no compiler', iterations: 4, seconds: 60 },
  { type: 'proof-start', recipe: 2 },
  { type: 'proof-end', recipe: 2, seconds: 20, ok: false, reason: 'no_tests_seen', detail: 'none of 3 tests passes' },
  { type: 'proof-end', recipe: 2, seconds: 0, ok: true, known: true, runs: [], unstable: [] },
  {
    type: 'proof-end',
    recipe: 2,
    seconds: 20,
    ok: true,
    known: false,
    runs: [
      { seen: 10, passed: 9 },
      { seen: 10, passed: 8 },
    ],
    unstable: ['a', 'b', 'c', 'd'],
  },
]

it('tells what was inferred from which file, each attempt with its reason, and whether the runs of the proof agree', () => {
  expect(events.flatMap((event) => bootstrapLines(event, { verbose: false })).join('\n')).toMatchInlineSnapshot(`
    "bootstrap local/demo at aaaaaaaaaaaa (docker, linux/amd64)
    waiting  another process makes this environment
    inferred 1 python on python:3.12, tests by pytest
               pyproject.toml: requires-python >=3.9
               uv.lock: pins �[31mred
    known    2 python on python:3.9, tests by pytest
               unlike the first in baseImage, env
    failed   1 environment_failed: step_failed at "RUN x": no (12.5 s)
    ok       2 builds; 10 tests seen, 9 pass (3 s)
    mending  with the model; transcript: /envs/logs/t.jsonl
    mended   gave_up after 4 turns, 60 s: no compiler
    failed   2 no_tests_seen: none of 3 tests passes (20 s)
    proven   2 earlier, for equal manifests on the same base
    proven   2 built from nothing; 9 of 10, then 8 of 10 tests pass; differing between the runs: a, b, c and 1 more (20 s)"
  `)
})
