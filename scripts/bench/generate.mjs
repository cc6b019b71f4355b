import { spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { buildRepository } from '../../packages/testing/dist/index.js'
import { CLI, STATE } from './options.mjs'

/** Runs `r2e generate` with its state below `place`; answers the summary, or why there is none. */
export async function generate(place, words, signal) {
  const environments = ['--bootstrap-opt', `cache_dir=${join(place, 'environments')}`]
  const places = ['--out', join(place, 'out'), '--state-dir', join(place, 'state'), '--force', ...environments]
  const args = [CLI, '--json', 'generate', '--pipeline', 'commit_runtime', ...words, ...places]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], signal })
  const end = new Promise((done, fail) => child.on('error', fail).on('close', done))
  const [output, complaint] = await Promise.all([text(child.stdout), text(child.stderr), end])
  const events = output
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  const summary = events.find((event) => event.type === 'run-end')?.summary
  return { summary, why: lastLine(complaint) ?? `r2e generate exited ${child.exitCode}` }
}

/** A generated repository, made anew: it is small. */
export async function repositoryOf(name, steps) {
  const place = join(STATE, name)
  await rm(place, { recursive: true, force: true })
  await buildRepository(place, steps)
  return place
}

const lastLine = (complaint) => complaint.trim().split('\n').filter(Boolean).at(-1)
