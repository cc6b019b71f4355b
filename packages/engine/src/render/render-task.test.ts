import { spawnSync } from 'node:child_process'
import { digestOf, encodeUtf8, type JsonObject, type Recipe } from '@r2e/spec'
import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { DRAFT, RECIPE, taskInput, taskTests, textOf } from './__fixtures__/task-input.ts'
import { renderDockerfile, usableTag } from './dockerfile.ts'
import { renderTask } from './render-task.ts'
import { SOLVE_SCRIPT } from './solve-script.ts'
import type { Snapshot } from './task-input.ts'

const SNAPSHOT: Snapshot = {
  archive: encodeUtf8('archive'),
  tree: 'b'.repeat(40),
  digest: digestOf('archive'),
  entries: [],
  omitted: [],
}
const tests = taskTests(['t::hidden'], ['t::known', 't::other'])
const full = taskInput({
  recipe: RECIPE,
  snapshot: SNAPSHOT,
  tests: { ...tests, files: [{ path: '0-x', mode: '100644', content: encodeUtf8('x') }] },
  grader: [{ path: 'test.sh', mode: '100755', content: encodeUtf8('#!/bin/bash\n') }],
  baselineReward: 0,
  licence: 'MIT',
  image: { mode: 'local_only', recipeDigest: 'sha256:0' },
})

describe('renderTask', () => {
  it('renders the whole of a task that runs tests, sorted by path', () => {
    expect(renderTask(full).map((file) => `${file.mode} ${file.path}`)).toEqual([
      '100644 environment/Dockerfile',
      '100644 environment/base.tar.gz',
      '100644 environment/deps/requirements.txt',
      '100644 instruction.md',
      '100644 solution/patch.diff',
      '100755 solution/solve.sh',
      '100644 task.toml',
      '100644 tests/contents.json',
      '100644 tests/f2p.json',
      '100644 tests/files/0-x',
      '100644 tests/p2p.json',
      '100644 tests/restore.json',
      '100644 tests/run.json',
      '100755 tests/test.sh',
    ])
  })

  it('writes task.toml as the contract says, root keys first, absent values absent [J3 M4]', () => {
    expect(textOf(renderTask(full), 'task.toml')).toMatchInlineSnapshot(`
      "schema_version = "1.3"
      version = "1.0"

      [task]
      name = "acme/acme__calc-0123456789ab"
      description = "Bug fix in acme/calc"
      keywords = [ "bugfix", "commit_runtime", "python" ]

      [metadata]
      difficulty = "trivial"
      category = "bugfix"
      keywords = [ "bugfix", "commit_runtime", "python" ]

      [metadata.repo2env]
      pipeline = "commit_runtime"
      pipeline_version = "1"
      repo = "https://example.com/acme/calc"
      ref = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
      reference = "https://example.com/acme/calc/commit/1"
      source_access = "public"
      reward_kinds = [ "test_execution", "diff_similarity" ]
      spec_version = "0.1.0"
      content_hash = "sha256:5f7096d77137166b35d4238aacf0dc63239d5ca888fb36d7dcfd8feecf88354f"
      licence = "MIT"

      [metadata.repo2env.commit_runtime]
      commit_date = "2024-01-01T00:00:00Z"
      fail_to_pass_count = 1
      pass_to_pass_count = 2
      test_coverage = "suite"
      test_report = "junit-pytest"
      validation_status = "verified"
      bootstrap_image = "lab/python"

      [metadata.repo2env.reward_calibration]
      baseline_reward = 0
      f2p_count = 1
      p2p_count = 2
      source_files = 1
      loc_changed = 2
      difficulty = "trivial"

      [metadata.repo2env.reproducibility]
      mode = "local_only"
      recipe = "sha256:0"

      [agent]
      timeout_sec = 1800

      [verifier]
      timeout_sec = 300

      [environment]
      build_timeout_sec = 1800
      cpus = 1
      memory_mb = 2048
      "
    `)
  })

  it('measures nothing and names no test in task.toml: only f2p.json and p2p.json hold ids [C10 W22]', () => {
    expect(textOf(renderTask(full), 'task.toml')).not.toContain('t::')
    expect(textOf(renderTask(full), 'tests/f2p.json')).toBe('[\n "t::hidden"\n]\n')
    expect(renderTask(full)).toEqual(renderTask(full))
  })

  it('hashes the instruction and the solution exactly as they are written', () => {
    const draft = { ...DRAFT, instruction: 'Fix it.', solution: encodeUtf8('diff --git a/x b/x\n') }
    const toml = parse(textOf(renderTask(taskInput({ draft })), 'task.toml')) as { metadata: { repo2env: JsonObject } }
    const expected = 'sha256:70c477bf6be20579139a3dcbc8aeb32a2be7d7168cd554fa45bc9a2ecc752aef'
    expect(toml.metadata.repo2env.content_hash).toBe(expected)
  })

  it('renders a text-only task without environment and tests', () => {
    const files = renderTask(
      taskInput({ draft: { ...DRAFT, plan: { diff: { metric: 'ratio_v07' }, environment: false } } }),
    )
    expect(files.map((file) => file.path)).toEqual([
      'instruction.md',
      'solution/patch.diff',
      'solution/solve.sh',
      'task.toml',
    ])
  })

  it('gives a task graded by similarity the plan and the oracle, under tests/ alone [E6]', () => {
    const draft = { ...DRAFT, plan: { diff: { metric: 'changed_lines' as const }, environment: true } }
    const files = renderTask(taskInput({ ...full, tests: undefined, draft, oracle: encodeUtf8('oracle') }))
    const plan = JSON.parse(textOf(files, 'tests/diff.json'))
    expect(plan).toMatchObject({ schema: 'r2e.diff/1', metric: 'changed_lines', workdir: '/app' })
    expect(plan.base).toBe(SNAPSHOT.tree)
    expect(textOf(files, 'tests/oracle.diff')).toBe('oracle')
    expect(files.some((file) => file.path === 'tests/f2p.json')).toBe(false)
  })
})

describe('renderDockerfile', () => {
  it('orders its layers so that no source of the project comes before the snapshot [E8]', () => {
    const lines = renderDockerfile(RECIPE)
      .split(/(?<!\\)\n/)
      .map((line) => line.split('\n')[0])
    expect(lines).toMatchInlineSnapshot(`
      [
        "FROM lab/python",
        "USER root",
        "RUN need=; \\",
        "ENV PATH="/opt/venv/bin:\${PATH}"",
        "WORKDIR /app",
        "COPY deps/ /r2e/",
        "RUN python3 -m venv /opt/venv",
        "COPY base.tar.gz /r2e/",
        "RUN cd /app && \\",
        "RUN ( false ) || true",
        "STOPSIGNAL SIGKILL",
        "ENTRYPOINT []",
        "",
      ]
    `)
  })

  it('shares every byte up to the snapshot among tasks of one recipe, with and without a tag', () => {
    const [plain, tagged] = [renderDockerfile(RECIPE), renderDockerfile(RECIPE, { versionTag: 'v1.2' })]
    const shared = plain.slice(0, plain.indexOf('COPY base.tar.gz'))
    expect(tagged.startsWith(shared)).toBe(true)
    expect(tagged).toContain('COPY base.tar.gz version-tag /r2e/')
    expect(tagged).not.toContain('v1.2')
  })

  it('quotes values of variables, and expands only what is written in braces', () => {
    const path = RECIPE.env.PATH!.slice(-7)
    const text = renderDockerfile({ ...RECIPE, env: { A: `${path}:$HOME "x" \\ $(id)` } })
    expect(text).toContain(String.raw`ENV A="${path}:\$HOME \"x\" \\ \$(id)"`)
  })

  it('refuses what would become an instruction of its own', () => {
    const bad: Partial<Recipe>[] = [
      { baseImage: 'x\nRUN id' },
      { system: ['less; id'] },
      { env: { 'A B': 'x' } },
      { env: { A: 'x\nRUN id' } },
      { setup: [{ run: 'echo a\nRUN id', network: true }] },
      { setup: [{ run: 'echo a \\', network: true }] },
      { setup: [{ run: 'cat <<EOF', network: true }] },
      { setup: [{ run: '--mount=type=bind true', network: true }] },
    ]
    for (const change of bad)
      expect(() => renderDockerfile({ ...RECIPE, ...change }), JSON.stringify(change)).toThrow(
        'cannot stand in a Dockerfile',
      )
  })

  it('recreates only tags that are valid refs', () => {
    const tags = ['v1.2.3', 'release/2.0', '-x', 'a..b', 'a b', 'x.lock', '$(id)', 'v1~2', 'a/', 'a/.b', 'x.']
    expect(tags.filter(usableTag)).toEqual(['v1.2.3', 'release/2.0'])
  })
})

it('solve.sh is valid bash', () => {
  expect(spawnSync('bash', ['-n'], { input: SOLVE_SCRIPT })).toMatchObject({ status: 0 })
})
