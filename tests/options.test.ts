import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { OptionsSchema as commitRuntime } from '../packages/pipeline-commit-runtime/src/options.ts'
import { OptionsSchema as prDiff } from '../packages/pipeline-pr-diff/src/options.ts'
import { buildRepository, PIPELINE_HISTORY } from '../packages/testing/src/index.ts'
import { r2e } from './__fixtures__/r2e.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Taken over from older configurations, and said to have no effect. */
const withoutEffect = ['clone_depth', 'context_window_loc']

const tests = await readTests(['packages', 'apps', 'tests'])

for (const [name, { entries }] of Object.entries({ commit_runtime: commitRuntime, pr_diff: prDiff }))
  it(`every option of ${name} is set by a test, or says that it has no effect [L2]`, () => {
    const unseen = Object.keys(entries).filter(
      (key) => !withoutEffect.includes(key) && !new RegExp(`\\b${key}\\b["']?\\s*[:=]`).test(tests),
    )
    expect(unseen).toEqual([])
  })

it('max_candidates ends a run after as many candidates', async () => {
  const { code, events } = await generate('pr_diff', 'max_candidates=1')
  expect(code).toBe(0)
  expect(events.at(-1)).toMatchObject({ type: 'run-end', summary: { stop: 'max_candidates', admitted: 1 } })
}, 120_000)

it('synthesize_with_llm without a model is refused before anything starts', async () => {
  const { code, stderr } = await generate('commit_runtime', 'synthesize_with_llm=true')
  expect([code, stderr]).toEqual([2, expect.stringContaining('no_model: ')])
}, 120_000)

async function generate(pipeline: string, option: string) {
  const cwd = mkdtempSync(join(tmpdir(), 'r2e-options-'))
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
  await buildRepository(join(cwd, 'demo'), PIPELINE_HISTORY)
  const words = ['--json', 'generate', '--repo', './demo', '--pipeline', pipeline, '--out', 'out']
  return r2e([...words, '--pipeline-opt', option], { cwd })
}

async function readTests(folders: readonly string[]): Promise<string> {
  const names = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(join(root, folder), { recursive: true }))
        .filter((name) => name.endsWith('.test.ts') && !/(^|\/)(node_modules|dist)\//.test(name))
        .map((name) => join(root, folder, name)),
    ),
  )
  return (await Promise.all(names.flat().map((name) => readFile(name, 'utf8')))).join('\n')
}
