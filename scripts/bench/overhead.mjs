import { spawn } from 'node:child_process'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, relative } from 'node:path'
import { runTask } from '../../packages/engine/dist/index.js'
import { createDockerSandbox } from '../../packages/sandbox/dist/docker/index.js'
import { createLocalSandbox } from '../../packages/sandbox/dist/local/index.js'
import { generate, repositoryOf } from './generate.mjs'
import { fixHistory } from './histories.mjs'
import { STATE } from './options.mjs'
import { inTurn, median, quantile, wallOf } from './sample.mjs'

export const method =
  'Wall time of one observation of a rendered task (build from cache, open, solve, tests, read, close) less the processor ' +
  'time of its tests; both states, Docker and local in turn, beside the same number of bare container and namespace starts.'

const LIMITS = { docker: { floor: 1.5, aim: 0.8 }, local: { floor: 0.5, aim: 0.15 } }

export async function* measure({ rounds = 10, baseImage = 'lab/python', signal }) {
  const repository = await repositoryOf('one-fix', fixHistory({ fixes: 1, seconds: 0 }))
  const ready = []
  for (const provider of providers()) {
    const subject = await prepare(provider, { repository, baseImage, signal })
    if (subject.skipped) yield { name: provider.name, skipped: subject.skipped }
    else ready.push(subject)
  }
  const works = ready.flatMap((subject) => [
    () => observation(subject, 'nop'),
    () => observation(subject, 'oracle'),
    () => wallOf(() => spawned(subject.bare, signal)),
  ])
  const samples = await inTurn(rounds, works, signal)
  for (const [index, { provider }] of ready.entries()) {
    const [nop, oracle, bare] = samples.slice(3 * index, 3 * index + 3)
    yield rowOf(provider.name, { runs: [...nop, ...oracle], bare })
  }
}

function rowOf(name, { runs, bare }) {
  const seconds = runs.map(({ overheadMs }) => overheadMs / 1000)
  const part = (key) => Math.round(median(runs.map((run) => run[key])))
  const value = median(seconds)
  return {
    name,
    n: runs.length,
    ours: { label: 'overhead', value, unit: 's', samples: runs },
    theirs: { label: 'bare start', value: median(bare) / 1000, unit: 's', samples: bare },
    ratio: (value * 1000) / median(bare),
    note:
      `p95 ${quantile(seconds, 0.95).toFixed(2)} s; build ${part('buildMs')}, open ${part('openMs')}, solve ${part('solveMs')}, ` +
      `verify ${part('verifyMs')} of which tests ${part('cpuMs')} ms`,
    held: [{ label: 'median overhead', value, unit: 's', bound: 'most', ...LIMITS[name] }],
  }
}

/** A task that this sandbox proved, through the command line. */
async function prepare(provider, { repository, baseImage, signal }) {
  const probe = await provider.probe(signal)
  if (!probe.ok) return { skipped: probe.detail }
  const place = join(STATE, 'overhead', provider.name)
  await rm(join(place, 'out'), { recursive: true, force: true })
  const image = provider.name === 'docker' ? ['--base-image', baseImage] : []
  const test = ['--test-cmd', 'python3 -m unittest', '--qa-opt', 'determinism_runs=1', '--qa-opt', 'oracle_runs=1']
  const words = ['--repo', repository, '--sandbox', provider.name, '--limit', '1', ...image, ...test]
  const { summary, why } = await generate(place, words, signal)
  if (summary?.admitted !== 1) return { skipped: `no task came out: ${why} ${JSON.stringify(summary?.skipped ?? {})}` }
  const files = await readFiles(join(place, 'out', summary.tasks[0]))
  return { provider, files, signal, bare: bareStart(provider.name, baseImage) }
}

async function observation({ provider, files, signal }, state) {
  let run
  const wall = await wallOf(async () => {
    run = await runTask({
      provider,
      files,
      state,
      run: 'bench',
      limits: { cpus: 1, memoryMb: 1024, pids: 256 },
      timeoutMs: 60_000,
      buildTimeoutMs: 300_000,
      signal,
    })
  })
  const wanted = state === 'oracle' ? 1 : 0
  if (run.outcome !== 'graded' || run.reward !== wanted)
    throw new Error(`${provider.name}: ${state} gave ${run.reward ?? run.detail} instead of ${wanted}`)
  const cpuMs = run.report.cpu_sec * 1000
  return { state, overheadMs: wall - cpuMs, cpuMs, ...run.durations }
}

function providers() {
  const local = {
    stateDirectory: join(STATE, 'overhead', 'local', 'state', 'sandbox'),
    home: homedir(),
    environment: process.env,
  }
  return [createDockerSandbox(), createLocalSandbox(local)]
}

const bareStart = (name, image) =>
  name === 'docker'
    ? ['docker', 'run', '--rm', '--network', 'none', image, 'true']
    : ['unshare', '--user', '--map-root-user', '--mount', '--pid', '--net', '--fork', 'true']

function spawned([command, ...words], signal) {
  const child = spawn(command, words, { stdio: 'ignore', signal })
  return new Promise((done, fail) =>
    child.on('error', fail).on('close', (code) => (code === 0 ? done() : fail(new Error(`${command} exited ${code}`)))),
  )
}

async function readFiles(folder) {
  const entries = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  return Promise.all(
    entries.map(async (entry) => {
      const path = join(entry.parentPath, entry.name)
      const mode = (await stat(path)).mode & 0o100 ? '100755' : '100644'
      return { path: relative(folder, path), mode, content: await readFile(path) }
    }),
  )
}
