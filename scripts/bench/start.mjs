import { spawn } from 'node:child_process'
import { CLI } from './options.mjs'
import { inTurn, median, wallOf } from './sample.mjs'

export const method =
  'Wall time of r2e --version and r2e --help, spawned in turn with node -e 0; ratios of the medians.'

const LIMITS = { '--version': { floor: 2, aim: 1.5 }, '--help': { floor: 4, aim: 2.5 } }

export async function* measure({ rounds = 21, signal }) {
  const flags = Object.keys(LIMITS)
  const commands = [['-e', '0'], ...flags.map((flag) => [CLI, flag])]
  const works = commands.map((words) => () => wallOf(() => run(words)))
  const [bare, ...starts] = (await inTurn(rounds, works, signal)).map((samples) => ({
    samples,
    value: median(samples),
  }))
  for (const [index, flag] of flags.entries()) {
    const ours = starts[index]
    const ratio = ours.value / bare.value
    yield {
      name: flag,
      n: rounds,
      ours: { label: 'r2e', unit: 'ms', ...ours },
      theirs: { label: 'node -e 0', unit: 'ms', ...bare },
      ratio,
      held: [{ label: 'ratio', value: ratio, unit: '×', bound: 'most', ...LIMITS[flag] }],
    }
  }
}

function run(words) {
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  child.stdout.resume()
  return new Promise((done, fail) =>
    child.on('error', fail).on('close', (code) => (code === 0 ? done() : fail(new Error(`${words} exited ${code}`)))),
  )
}
