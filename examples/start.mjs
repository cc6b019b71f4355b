// `npm start`: the main job on a small repository, in the local sandbox: no Docker, no token, no model.
import { spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildRepository } from '../packages/testing/dist/index.js'
import { steps } from './wordsmith/history.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const state = join(root, '.r2e')
const repository = join(state, 'examples', 'wordsmith')

await rm(repository, { recursive: true, force: true })
await buildRepository(repository, steps)
process.exitCode = await r2e('generate', '--repo', repository, '--pipeline', 'commit_runtime', '--sandbox', 'local')
if (process.exitCode === 0) console.log('         where r2e stands for: npm run -s r2e --')

/** Runs the command line as a user would, on the example, with the arguments of `npm start --` at the end. */
function r2e(command, ...args) {
  const cli = join(root, 'apps/cli/dist/main.js')
  const places = ['--out', join(root, 'out', 'wordsmith'), '--state-dir', state]
  const child = spawn(process.execPath, [cli, command, ...args, ...places, ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal))
  return new Promise((done) => child.on('exit', (code) => done(code ?? 130)))
}
