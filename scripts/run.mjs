// Runs a task under the pinned Node and pnpm. Any Node >= 18 with npm can start it; no dependencies.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const platform = `${process.platform}-${process.arch}`
const cli = join(root, 'apps/cli/dist/main.js')
const say = (text) => process.stderr.write(`${text}\n`)

function hash(...files) {
  const digest = createHash('sha256')
  for (const file of files) digest.update(fs.readFileSync(join(root, file)))
  return digest.digest('hex').slice(0, 16)
}

/** Puts Node 24 and pnpm 12 into .toolchain/, held to the hashes in toolchain/package-lock.json. */
function fetchToolchain() {
  const base = join(root, '.toolchain')
  const directory = join(base, hash('toolchain/package-lock.json'))
  const bins = [join('node_modules', '@pnpm', `exe.${platform}`), join('node_modules', `node-${platform}`, 'bin')]
  if (!fs.existsSync(directory)) {
    say('Fetching Node 24 and pnpm 12 (75 MB, once per clone)')
    fs.mkdirSync(base, { recursive: true })
    const temporary = fs.mkdtempSync(join(base, 'tmp-'))
    for (const file of ['package.json', 'package-lock.json'])
      fs.copyFileSync(join(root, 'toolchain', file), join(temporary, file))
    const flags = '--ignore-scripts --include=optional --prefer-offline --no-audit --no-fund --loglevel=error'
    const { status } = spawnSync('npm', ['ci', ...flags.split(' ')], { cwd: temporary, stdio: ['ignore', 2, 2] })
    // npm counts an optional package that it could not fetch as a success: look for the files themselves
    if (status !== 0 || !bins.every((bin) => fs.existsSync(join(temporary, bin)))) {
      fs.rmSync(temporary, { recursive: true, force: true })
      say(
        `No toolchain for ${platform}: registry out of reach or no such build. Put Node >= 22.22 and pnpm 12 on PATH.`,
      )
      process.exit(1)
    }
    try {
      fs.renameSync(temporary, directory) // atomic: a killed or parallel run never leaves half a toolchain
    } catch {
      fs.rmSync(temporary, { recursive: true, force: true })
    }
    for (const old of fs.readdirSync(base).map((name) => join(base, name))) // superseded or abandoned ones
      if (old !== directory && Date.now() - fs.statSync(old).mtimeMs > 3_600_000) fs.rmSync(old, { recursive: true })
  }
  return bins.map((bin) => join(directory, bin))
}

const [major, minor] = process.versions.node.split('.').map(Number)
const nodeOk = process.env.R2E_PINNED !== '1' && (major > 22 || (major === 22 && minor >= 22))
const found = spawnSync('pnpm', ['--version'], { encoding: 'utf8', cwd: root }).stdout?.trim()
const pnpmOk = `pnpm@${found}` === JSON.parse(fs.readFileSync(join(root, 'package.json'), 'utf8')).packageManager
const extra = nodeOk && pnpmOk ? [] : fetchToolchain()
if (nodeOk) extra.pop()

const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1' }
for (const key of Object.keys(env)) if (/^npm_/i.test(key)) delete env[key] // npm's own settings are not meant for the tasks
env.PATH = [join(root, 'node_modules', '.bin'), ...extra, process.env.PATH].join(delimiter)

function run(command, args, { chunks, ...options } = {}) {
  const child = spawn(command, args, { cwd: root, env, stdio: 'inherit', ...options })
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => chunks.push(chunk))
  for (const signal of ['SIGTERM', 'SIGHUP']) process.removeAllListeners(signal).on(signal, () => child.kill(signal))
  process.removeAllListeners('SIGINT').on('SIGINT', () => {}) // the terminal sends Ctrl-C to the child as well
  return new Promise((done) => {
    child.on('error', (error) => done(say(error.message) && 127))
    child.on('close', (code, signal) => done(code ?? 128 + constants.signals[signal]))
  })
}

async function must(command, ...args) {
  const code = await run(command, args, { stdio: ['ignore', 2, 2] }) // stdout belongs to the task alone
  if (code !== 0) process.exit(code)
}

/** What a build prints is of interest only where it fails. */
async function build() {
  const chunks = []
  const slow = setTimeout(() => say('Building'), 3000)
  const code = await run('turbo', ['run', 'build', '--output-logs=errors-only'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    chunks,
  })
  clearTimeout(slow)
  if (code === 0) return
  process.stderr.write(Buffer.concat(chunks))
  process.exit(code)
}

const stamp = join(root, 'node_modules', '.installed')
const want = hash('pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json')
if (!fs.existsSync(stamp) || fs.readFileSync(stamp, 'utf8') !== want) {
  await must('pnpm', 'install', '--frozen-lockfile', '--reporter=append-only')
  fs.writeFileSync(stamp, want)
}

const [task, ...rest] = process.argv.slice(2)
const built = ['start', 'test', 'r2e', 'bench', 'prove']
if (built.includes(task)) await build()
const here = process.env.INIT_CWD ?? process.cwd() // npm starts us in the root; the command belongs to the caller's folder
const scripts = {
  start: ['node', ['examples/start.mjs', ...rest]],
  test: ['vitest', ['run', ...rest]],
  r2e: ['node', [cli, ...rest], { cwd: here }],
  bench: ['node', ['scripts/bench.mjs', ...rest]],
  prove: ['node', ['scripts/prove.mjs', ...rest]],
  check: ['biome', ['check', ...rest]],
}
process.exitCode = await run(...(scripts[task] ?? [task, rest])) // else any program of the workspace: npm run x -- knip
