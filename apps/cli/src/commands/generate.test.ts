import { readdir, readFile, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunEvent } from '@r2e/spec'
import { buildRepository, PIPELINE_HISTORY } from '@r2e/testing'
import { expect, it } from 'vitest'
import { type CliOptions, faultyPipeline, folder, r2e } from '../__fixtures__/spawn-cli.ts'

/** A folder with the small repository `demo`. */
async function project(): Promise<string> {
  const cwd = await folder()
  await buildRepository(join(cwd, 'demo'), PIPELINE_HISTORY)
  return cwd
}

const diffs = ['generate', '--repo', './demo', '--pipeline', 'pr_diff', '--out', './out']
const faulty = (mode: string) => [
  ...['generate', '--repo', './demo', '--pipeline', faultyPipeline, '--out', './out', '--pipeline-opt', `mode=${mode}`],
]

it('mines a local repository without Docker, token or model and ends with its funnel [W24]', async () => {
  const cwd = await project()
  const { code, stdout, stderr } = await r2e(diffs, { cwd, env: { DOCKER_HOST: 'unix:///nowhere' } })
  expect(stderr).toBe('')
  expect(
    stdout.replaceAll(/\d{8}-\d{6}-[0-9a-f]{4}/g, 'RUN').replace(/after \d+ s/, 'after N s'),
  ).toMatchInlineSnapshot(`
    "run RUN: pr_diff on local/demo at 404f4ddef418
    skipped -6 "Revert "Run the tests on every push"" revert_pr: takes an earlier change back
    emitted local__demo-5 "Fix wrong words of an empty text"
    emitted local__demo-3 "Fix words that stick together at tabs"

    candidates    3
      revert_pr  -1
    emitted       2

    all candidates were looked at after N s
    dataset  ./out
    ledger   ./.r2e/runs/RUN
    next     r2e validate ./out --oracle --nop
    "
  `)
  expect(code).toBe(0)
  expect(await readdir(join(cwd, 'out'))).toEqual(
    expect.arrayContaining(['local__demo-3', 'local__demo-5', 'manifest.json']),
  )
  const ledger = /^ledger +(\S+)$/m.exec(stdout)![1]!
  expect(await readdir(join(cwd, ledger))).toContain('journal.jsonl')
})

it('writes nothing in a dry run, and lists what it would try [W34]', async () => {
  const cwd = await project()
  const { code, stdout } = await r2e([...diffs, '--dry-run'], { cwd })
  expect(code).toBe(0)
  expect(stdout).toContain('found   -5 "Fix wrong words of an empty text"\n')
  expect(stdout).toMatch(/^would be tried +2$/m)
  expect(stdout).toMatch(/^estimate \d+\.\d MB of tasks at most, 0 USD of model calls$/m)
  expect(await readdir(cwd)).toEqual(['demo'])
})

it('streams events with --json, the summary last, and nothing else on standard output', async () => {
  const cwd = await project()
  const { stdout } = await r2e(['--json', ...diffs], { cwd })
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RunEvent)
  expect(events[0]).toMatchObject({ type: 'run-start', pipeline: 'pr_diff', resumed: false })
  expect(events.at(-1)).toMatchObject({ type: 'run-end', summary: { admitted: 2, candidates: 3 } })
  expect(events.filter(({ type }) => type === 'run-end')).toHaveLength(1)
})

it('admits --limit tasks, and tells a dataset of another configuration from its own', async () => {
  const cwd = await project()
  const one = await r2e([...diffs, '--limit', '1'], { cwd })
  expect(one.stdout).toMatch(/^emitted +1$/m)
  expect(one.stdout).toContain('the limit of tasks was reached')
  const other = await r2e([...diffs, '--limit', '2'], { cwd })
  expect(other).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^output_of_another_configuration: .*\n {2}fix: .*--append.*--force/),
  })
  expect((await r2e([...diffs, '--limit', '2', '--append'], { cwd })).code).toBe(0)
  expect((await r2e([...diffs, '--limit', '1', '--force'], { cwd })).code).toBe(0)
})

it('makes a task again whose stored bytes were lost or damaged, and ends with the same dataset', async () => {
  const cwd = await project()
  await r2e(diffs, { cwd })
  const manifest = await readFile(join(cwd, 'out/manifest.json'), 'utf8')
  const blobs = join(cwd, '.r2e/blobs')
  for (const name of await readdir(blobs, { recursive: true }))
    if (name.includes('/')) await (name < '8' ? truncate(join(blobs, name), 3) : rm(join(blobs, name)))
  await rm(join(cwd, 'out'), { recursive: true })
  const again = await r2e([...diffs, '--resume'], { cwd })
  expect([again.code, again.stderr]).toEqual([0, ''])
  expect(await readFile(join(cwd, 'out/manifest.json'), 'utf8')).toBe(manifest)
})

it('goes on with --resume and refuses to go on with nothing', async () => {
  const cwd = await project()
  const none = await r2e([...diffs, '--resume'], { cwd })
  expect(none).toMatchObject({ code: 2, stderr: expect.stringMatching(/^no_run_to_resume: /) })
  await r2e(diffs, { cwd })
  const manifest = await readFile(join(cwd, 'out/manifest.json'), 'utf8')
  const again = await r2e([...diffs, '--resume'], { cwd })
  expect(again.stdout).toMatch(/^run \S+: .* \(resumed\)$/m)
  expect(again.stdout).not.toMatch(/^emitted local/m)
  expect(await readFile(join(cwd, 'out/manifest.json'), 'utf8')).toBe(manifest)
  const [run] = await readdir(join(cwd, '.r2e/runs'))
  const differs = await r2e([...diffs, '--limit', '1', '--resume', run!], { cwd })
  expect(differs).toMatchObject({ code: 2, stderr: expect.stringContaining('limit') })
})

it('keeps its state where --state-dir says', async () => {
  const cwd = await project()
  await r2e([...diffs, '--state-dir', 'elsewhere'], { cwd })
  expect((await readdir(cwd)).sort()).toEqual(['demo', 'elsewhere', 'out'])
})

it('prints the funnel alone with --quiet', async () => {
  const cwd = await project()
  const { stdout } = await r2e(['-q', ...diffs], { cwd })
  expect(stdout).toMatch(/^\ncandidates/)
})

for (const [mode, words, code] of [
  ['none', [], 4],
  ['plain', [], 4],
  ['bug', [], 4],
  ['bug', ['--strict'], 70],
  ['transient', [], 3],
] as const) {
  it(`exits ${code} for a pipeline that ends in ${mode} ${words.join('')} [A16]`, async () => {
    const cwd = await project()
    const result = await r2e([...faulty(mode), ...words], { cwd })
    expect(result.code).toBe(code)
    if (code === 70) expect(result.stderr).toMatch(/^internal_error: a mistake of ours\n {2}fix: /)
    else expect(result.stdout).toMatch(/^emitted +0$/m)
    expect(result.stdout + result.stderr).not.toContain('\u001b')
  })
}

it('stops at the first signal, cleaned up, with the funnel so far, exit 130', async () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const cwd = await project()
    const onOutput: CliOptions['onOutput'] = (text, child) => void (text.startsWith('run ') && child.kill(signal))
    const result = await r2e(faulty('wait'), { cwd, onOutput })
    expect(result).toMatchObject({ code: 130, stderr: expect.stringContaining('interrupted: ') })
    expect(result.stdout).toMatch(/^candidates +\d+\n[\s\S]*^next +the same command with --resume$/m)
    expect(await readdir(cwd)).not.toContain('out')
  }
})

it('leaves at once at the second signal', async () => {
  const cwd = await project()
  const onOutput: CliOptions['onOutput'] = (text, child) => {
    if (!text.startsWith('run ')) return
    child.kill('SIGINT')
    setTimeout(() => child.kill('SIGINT'), 300)
  }
  expect((await r2e(faulty('deaf'), { cwd, onOutput })).code).toBe(130)
})

it('ends quietly when its reader goes away', async () => {
  const cwd = await project()
  const onOutput: CliOptions['onOutput'] = (_text, child) => void child.stdout?.destroy()
  const result = await r2e([...faulty('wait'), '-v'], { cwd, onOutput })
  expect(result.code).toBe(130)
  expect(result.stderr).not.toMatch(/EPIPE| {4}at /)
})

for (const [title, words, stderr] of [
  ['a folder that does not exist', ['--repo', './none'], /^repo_not_found: there is no folder DIR\/none\n {2}fix: /],
  ['a folder that is no repository', ['--repo', '.'], /^not_a_repository: .*DIR\n {2}fix: /],
  ['a ref that does not exist', ['--ref', 'nope'], /^ref_not_found: .*"nope"\n {2}fix: .*main/],
  ['an --out that holds something else', ['--out', './demo'], /^output_not_a_dataset: DIR\/demo .*\n {2}fix: /],
] as const) {
  it(`answers in one line and makes no dataset: ${title}`, async () => {
    const cwd = await project()
    const result = await r2e([...diffs, ...words], { cwd })
    expect(result.stderr.replaceAll(cwd, 'DIR')).toMatch(stderr)
    expect(result).toMatchObject({ code: 2, stdout: '' })
    expect(await readdir(cwd)).not.toContain('out')
    expect(await readdir(join(cwd, 'demo'))).toEqual(expect.not.arrayContaining(['manifest.json']))
  })
}

it('names why no sandbox can run, before anything is opened or written', async () => {
  const cwd = await project()
  const words = [
    'generate',
    '--repo',
    './demo',
    '--pipeline',
    'commit_runtime',
    '--out',
    './out',
    '--sandbox',
    'docker',
  ]
  const result = await r2e(words, { cwd, env: { DOCKER_HOST: 'unix:///nowhere/docker.sock' } })
  expect(result).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^no_sandbox: .*docker: .*\n {2}fix: .*r2e doctor/),
  })
  expect(await readdir(cwd)).toEqual(['demo'])
})
