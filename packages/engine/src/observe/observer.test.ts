import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeUtf8, type FileEntry, type RunConfig, type SandboxProvider } from '@r2e/spec'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createObserver } from './observer.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'r2e-observer-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const REPORT = {
  schema: 'r2e.tests/1',
  outcome: 'completed',
  parse_status: 'ok',
  tests: { 'a::b': 'PASSED' },
  unloaded: [],
  exit_codes: [0],
  cpu_sec: 1,
  wall_sec: 1,
}

interface Answers {
  /** One for each question, the last for all that follow. */
  readonly identity: (string | undefined | Error)[]
  readonly results: Readonly<Record<string, unknown>>
}

/** An observer whose runs leave given results; answers what was kept and how often something ran. */
function observe({ identity, results }: Answers) {
  let runs = 0
  const files = new Map(Object.entries(results).map(([name, value]) => [name, encodeUtf8(JSON.stringify(value))]))
  const exited = { outcome: 'exited', exitCode: 0, durationMs: 1, stdout: new Uint8Array(), stderr: new Uint8Array() }
  const provider = {
    name: 'given',
    async identity() {
      const answer = identity.length > 1 ? identity.shift() : identity[0]
      if (answer instanceof Error) throw answer
      return answer
    },
    build: async () => ({ ok: true, image: 'i', durationMs: 1, log: '' }),
    async open() {
      runs++
      return {
        id: 's',
        exec: async () => exited,
        write: async () => {},
        read: async (path: string) => files.get(path.slice(path.lastIndexOf('/') + 1)),
        [Symbol.asyncDispose]: async () => {},
      }
    },
    remove: async () => {},
  } as unknown as SandboxProvider
  const sandbox = { cpus: 1, memory_mb: 1, pids: 1, rootfs: null, network: 'build', build_timeout_sec: 1 }
  const options = { provider, sandbox: sandbox as unknown as RunConfig['sandbox'], run: 'r', directory, cores: 1 }
  const session = createObserver(options).session(new AbortController().signal)
  const task: FileEntry[] = [{ path: 'environment/Dockerfile', mode: '100644', content: encodeUtf8('FROM base\n') }]
  return {
    once: () => session.observe({ files: task, state: 'nop', repeat: 0, timeoutSec: 1 }),
    runs: () => runs,
    kept: () => readdirSync(directory).length,
  }
}

const GOOD = { 'reward.json': { reward: 1 }, 'reward-details.json': { status: 'graded' }, 'tests.json': REPORT }

it('measures the same input once', async () => {
  const seen = observe({ identity: ['sha256:1'], results: GOOD })
  expect(await seen.once()).toEqual(await seen.once())
  expect([seen.runs(), seen.kept()]).toEqual([1, 1])
})

it('keeps a run under the image that it was built on, also where the build fetched it', async () => {
  const first = observe({ identity: [undefined, 'sha256:1'], results: GOOD })
  await first.once()
  const later = observe({ identity: ['sha256:1'], results: GOOD })
  await later.once()
  const moved = observe({ identity: ['sha256:2'], results: GOOD })
  await moved.once()
  const gone = observe({ identity: [undefined], results: GOOD })
  await gone.once()
  expect([first.runs(), later.runs(), moved.runs(), gone.runs()]).toEqual([1, 0, 1, 1])
})

it('asks again what an image is after it could not be told', async () => {
  const seen = observe({ identity: [new Error('no answer'), 'sha256:1'], results: GOOD })
  await expect(seen.once()).rejects.toThrow('no answer')
  expect((await seen.once()).outcome).toBe('graded')
})

it.each([
  ['a grader that failed', { ...GOOD, 'reward-details.json': { status: 'grader_error' }, 'tests.json': undefined }],
  ['a task without a report', { ...GOOD, 'tests.json': undefined }],
  ['a run out of time', { ...GOOD, 'tests.json': { ...REPORT, outcome: 'timed_out' } }],
])('measures %s again', async (_, results) => {
  const given = Object.fromEntries(Object.entries(results).filter(([, value]) => value !== undefined))
  const seen = observe({ identity: ['sha256:1'], results: given })
  await seen.once()
  await seen.once()
  expect([seen.runs(), seen.kept()]).toEqual([2, 0])
})

it('keeps the result of a task that is graded by its diff', async () => {
  const details = { status: 'ok', metric: 'ratio_v07' }
  const seen = observe({
    identity: ['sha256:1'],
    results: { 'reward.json': { reward: 0.5 }, 'reward-details.json': details },
  })
  await seen.once()
  await seen.once()
  expect(seen.runs()).toBe(1)
})
