import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  canonicalJson,
  decodeUtf8,
  type FileEntry,
  type JsonObject,
  type RunConfig,
  type SandboxProvider,
} from '@r2e/spec'
import { writeDurably } from '../journal/write-durably.ts'
import { runTask, type TaskRun } from './run-task.ts'

export interface ObserveRequest {
  /** The rendered task, whole. */
  readonly files: readonly FileEntry[]
  readonly state: 'nop' | 'oracle'
  /** Which repetition: each is a run of its own, in a fresh sandbox. */
  readonly repeat: number
  /** Limit of solve.sh, and of test.sh. */
  readonly timeoutSec: number
}

/**
 * Runs rendered tasks. A completed run is a fact: it is stored under the digest of everything it depends on, and the
 * same input is never measured twice. Time-outs and faults are not facts and are not stored.
 */
export interface Observer {
  /** Runs of one candidate; the images built for it are forgotten at the end, the layers they share are kept. */
  session(signal: AbortSignal): ObserverSession
  /** Σ test CPU ÷ (cores × wall) of the runs made here. */
  efficiency(): number
}

export interface ObserverSession extends AsyncDisposable {
  observe(request: ObserveRequest): Promise<TaskRun>
}

export interface ObserverOptions {
  readonly provider: SandboxProvider
  readonly sandbox: RunConfig['sandbox']
  readonly run: string
  readonly directory: string
  readonly cores: number
}

export function createObserver(options: ObserverOptions): Observer {
  const meter = createMeter(options.cores)
  const limits = { cpus: options.sandbox.cpus, memoryMb: options.sandbox.memory_mb, pids: options.sandbox.pids }
  const { rootfs, network } = options.sandbox
  const identity = { provider: options.provider.name, rootfs, network, limits }
  const bases = new Map<string, string>()
  /** Undefined while the image is not here: a build then fetches it, whatever its name means by then. */
  const baseIdentity = async ({ files }: ObserveRequest) => {
    const image = baseImageOf(files)
    const base = bases.get(image) ?? (options.provider.identity ? await options.provider.identity(image) : image)
    if (base !== undefined) bases.set(image, base)
    return base
  }
  const placeOf = async (request: ObserveRequest) => {
    const base = await baseIdentity(request)
    return base && join(options.directory, `${observationKey(request, { ...identity, base })}.json`)
  }
  const measure = async (provider: SandboxProvider, request: ObserveRequest, signal: AbortSignal) => {
    const begin = performance.now()
    const result = await runTask({
      provider,
      files: request.files,
      state: request.state,
      run: options.run,
      limits,
      timeoutMs: request.timeoutSec * 1000,
      buildTimeoutMs: options.sandbox.build_timeout_sec * 1000,
      network: { build: network !== 'none', run: network === 'open' },
      signal,
    })
    meter.add(begin, performance.now(), result.report?.cpu_sec ?? 0)
    return result
  }
  return {
    efficiency: meter.efficiency,
    session(signal) {
      const images = new Set<string>()
      const provider = remembering(options.provider, images)
      return {
        async observe(request) {
          const expected = await placeOf(request)
          const known = expected && (await readObservation(expected))
          if (known) return known
          const result = await measure(provider, request, signal)
          const place = expected ?? (await placeOf(request))
          if (place && isFact(result)) await writeDurably(place, JSON.stringify(result))
          return result
        },
        async [Symbol.asyncDispose]() {
          for (const image of images) await options.provider.remove(image).catch(() => {})
        },
      }
    },
  }
}

/** The same provider, every image it builds written down. It may be of a class, whose methods no spread would copy. */
function remembering(provider: SandboxProvider, images: Set<string>): SandboxProvider {
  return {
    name: provider.name,
    probe: (signal) => provider.probe(signal),
    open: (request) => provider.open(request),
    has: (image) => provider.has(image),
    remove: (image) => provider.remove(image),
    sweep: () => provider.sweep(),
    async build(request) {
      const result = await provider.build(request)
      if (result.ok) images.add(result.image)
      return result
    },
  }
}

/**
 * A runner that crashed or ran out of time says nothing that must be so again, nor does a grader that failed itself, as
 * on a full disk. A task without tests is graded by its diff.
 */
const isFact = (run: TaskRun) =>
  run.outcome === 'graded' &&
  (run.report ? run.report.outcome === 'completed' : 'metric' in run.details && run.details.status !== 'grader_error')

/** What a full or failing disk left of a file is as good as none: it is measured again. */
async function readObservation(place: string): Promise<TaskRun | undefined> {
  try {
    return JSON.parse(await readFile(place, 'utf8')) as TaskRun
  } catch {
    return undefined
  }
}

/** The name after FROM in environment/Dockerfile. */
function baseImageOf(files: readonly FileEntry[]): string {
  const dockerfile = files.find(({ path }) => path === 'environment/Dockerfile')
  return /^FROM (\S+)/m.exec(decodeUtf8(dockerfile?.content ?? new Uint8Array()))?.[1] ?? ''
}

/** Everything a run can depend on; task.toml and the text are not among it. */
function observationKey(request: ObserveRequest, identity: JsonObject): string {
  const hash = createHash('sha256')
  hash.update(canonicalJson({ ...identity, state: request.state, repeat: request.repeat }))
  for (const file of request.files) {
    if (!/^(environment|tests)\//.test(file.path) && !(request.state === 'oracle' && file.path.startsWith('solution/')))
      continue
    hash.update(`\0${file.path}\0${file.mode}\0`).update(createHash('sha256').update(file.content).digest())
  }
  return hash.digest('hex')
}

function createMeter(cores: number) {
  let first = Number.POSITIVE_INFINITY
  let last = 0
  let cpuSeconds = 0
  return {
    add(begin: number, end: number, cpu: number) {
      first = Math.min(first, begin)
      last = Math.max(last, end)
      cpuSeconds += cpu
    },
    efficiency: () => (last > first ? cpuSeconds / (cores * ((last - first) / 1000)) : 0),
  }
}
