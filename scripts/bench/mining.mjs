import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createGitSource } from '../../packages/source/dist/git/index.js'
import { buildRepository } from '../../packages/testing/dist/index.js'
import { longHistory } from './histories.mjs'
import { STATE } from './options.mjs'
import { inTurn, median, wallOf } from './sample.mjs'

export const method =
  'Wall time of our walk over the newest 3,000 first-parent commits, each parsed and dropped, in turn with git log -p ' +
  '--first-parent --binary --full-index -M over the same commits, its output read and dropped by this process.'

const COMMITS = 3000

export async function* measure({ repo, rounds = 5, signal }) {
  const url = repo ?? (await generated())
  const options = { cacheDirectory: join(STATE, 'cache'), signal }
  await using repository = await createGitSource().open({ url, ref: 'HEAD', access: 'auto' }, options)
  let commits = 0
  const walk = async () => {
    commits = 0
    for await (const _ of repository.commits({ firstParent: true })) if (++commits === COMMITS) break
  }
  const works = [() => wallOf(walk), () => wallOf(() => log(url, signal))]
  const [ours, theirs] = await inTurn(rounds, works, signal)
  const ratio = median(ours) / median(theirs)
  yield {
    name: `${commits} commits of ${repo ?? 'a generated repository'}`,
    n: rounds,
    ours: { label: 'walk', value: median(ours), unit: 'ms', samples: ours },
    theirs: { label: 'git log -p', value: median(theirs), unit: 'ms', samples: theirs },
    ratio,
    held: [{ label: 'ratio', value: ratio, unit: '×', bound: 'most', floor: 1.5, aim: 1.1 }],
  }
}

function log(path, signal) {
  const args = ['-C', path, 'log', '-p', '--first-parent', '--binary', '--full-index', '-M', `-n${COMMITS}`]
  const child = spawn('git', args, { stdio: ['ignore', 'pipe', 'inherit'], signal })
  child.stdout.resume()
  return new Promise((done, fail) => child.on('error', fail).on('close', done))
}

async function generated() {
  const place = join(STATE, `history-${COMMITS}`)
  if (existsSync(place)) return place
  const temporary = `${place}.${process.pid}`
  await rm(temporary, { recursive: true, force: true })
  await buildRepository(temporary, longHistory(COMMITS))
  await rename(temporary, place)
  return place
}
