import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type BuildRequest, type BuildResult, decodeUtf8, encodeUtf8, type FileEntry, R2eError } from '@r2e/spec'
import { createOutputWindow, type OutputWindow } from '../output-window.ts'
import { planBuild, type Setting, type Step } from './build-plan.ts'
import { copyEntries } from './copy-entries.ts'
import { execute, killAll } from './exec.ts'
import { folderEntry, unpack } from './files.ts'
import { withLock } from './keyed-lock.ts'
import { dropEmptyParts, hasLayer, sealLayer, touchLayers } from './layers.ts'
import { type LiveSandbox, openLive } from './live-sandbox.ts'
import type { LocalContext } from './local-context.ts'
import { type Image, writeImage } from './store.ts'

const LOG_LIMIT = 2 ** 18

interface Build {
  readonly context: LocalContext
  readonly request: BuildRequest
  readonly log: OutputWindow
  readonly deadline: number
}

type StepEnd = 'done' | 'failed' | 'timed_out'

/** Carries out a plain Dockerfile: one copy-on-write layer a step, kept by the digest of all that led to it. */
export async function buildImage(context: LocalContext, request: BuildRequest): Promise<BuildResult> {
  request.signal?.throwIfAborted()
  const started = performance.now()
  const log = createOutputWindow(LOG_LIMIT)
  const build: Build = { context, request, log, deadline: started + request.timeoutMs }
  const failed = (reason: 'step_failed' | 'timed_out', step: string): BuildResult => ({
    ok: false,
    reason,
    step,
    durationMs: Math.round(performance.now() - started),
    log: decodeUtf8(log.bytes()),
  })
  const dockerfile = request.context.find(({ path }) => path === 'Dockerfile')
  if (!dockerfile) throw new R2eError('no_dockerfile', 'bug', 'the build context holds no Dockerfile')
  const plan = planBuild(decodeUtf8(dockerfile.content), context.root.env)
  if (!plan.ok) {
    print(build, `${plan.reason}\n`)
    return failed('step_failed', plan.step)
  }
  const layers: string[] = []
  // Layers made afresh are nobody else's: those that stand may be in use.
  let key = request.fresh ? `${context.root.id}.${randomBytes(8).toString('hex')}` : context.root.id
  for (const step of plan.steps) {
    key = keyOf(key, step, request.context)
    print(build, `${step.text}\n`)
    const end = await makeLayer(build, { step, key, layers })
    request.signal?.throwIfAborted()
    if (end !== 'done') return failed(end === 'failed' ? 'step_failed' : end, step.text)
    layers.push(key)
  }
  const image = await saveImage(context, layers, plan.end)
  return { ok: true, image, durationMs: Math.round(performance.now() - started), log: decodeUtf8(log.bytes()) }
}

async function saveImage(
  context: LocalContext,
  layers: readonly string[],
  { env, workdir, user }: Setting,
): Promise<string> {
  const image: Image = { root: context.root.id, layers, env, workdir, ...(user !== undefined && { user }) }
  return await writeImage(context.store, image)
}

interface LayerRequest {
  readonly step: Step
  readonly key: string
  /** Those below. */
  readonly layers: readonly string[]
}

async function makeLayer(build: Build, request: LayerRequest): Promise<StepEnd> {
  const { store } = build.context
  // Two builds of this process that need the same layer: the second waits, then finds it or tries itself.
  return await withLock(join(store.directory, request.key), async () => {
    build.request.signal?.throwIfAborted()
    if (await hasLayer(store, request.key)) {
      await touchLayers(store, [request.key])
      return 'done'
    }
    return await carryOut(build, request)
  })
}

async function carryOut(build: Build, { step, key, layers }: LayerRequest): Promise<StepEnd> {
  const { context } = build
  const { env, workdir, user } = step.setting
  const network = step.kind === 'run' && step.network && build.request.network !== false
  const live = await openLive(context, { image: { root: context.root.id, layers, env, workdir, user }, network })
  try {
    const end = await carryOutIn(live, build, step)
    if (end !== 'done') return end
    // What a command left running would still write into the layer.
    if (step.kind === 'run') await killAll(live)
    const upper = join(context.store.directory, live.folder, 'upper')
    await dropEmptyParts(upper)
    await sealLayer(context.store, upper, key)
    return 'done'
  } finally {
    await live.close()
  }
}

async function carryOutIn(live: LiveSandbox, build: Build, step: Step): Promise<StepEnd> {
  if (step.kind === 'folder')
    await unpack(
      live,
      [folderEntry(step.path.slice(1))].filter(({ path }) => path !== ''),
    )
  else if (step.kind === 'copy') return await copy(live, build, step)
  else return await run(live, build, step)
  return 'done'
}

async function copy(live: LiveSandbox, build: Build, step: Step & { kind: 'copy' }): Promise<StepEnd> {
  const target = (await isFolderInside(live, step)) ? `${step.target}/` : step.target
  const copied = copyEntries(build.request.context, { sources: step.sources, target })
  if ('missing' in copied) {
    print(build, `COPY failed: the build context holds no ${copied.missing}\n`)
    return 'failed'
  }
  await unpack(live, copied.entries)
  return 'done'
}

/** A target without a slash at its end is a folder where one stands. */
async function isFolderInside(live: LiveSandbox, { target }: { target: string }): Promise<boolean> {
  if (target.endsWith('/')) return false
  const result = await execute(live, {
    argv: ['/bin/sh', '-c', '[ -d "$1" ]', 'sh', target],
    user: 'root',
    cwd: '/',
    timeoutMs: 10_000,
  })
  return result.exitCode === 0
}

async function run(live: LiveSandbox, build: Build, step: Step & { kind: 'run' }): Promise<StepEnd> {
  const result = await execute(live, {
    argv: step.argv,
    timeoutMs: Math.max(1, build.deadline - performance.now()),
    signal: build.request.signal,
    outputLimit: 0,
    onOutput: (chunk) => {
      build.log.push(chunk)
      build.request.onOutput?.(decodeUtf8(chunk))
    },
  })
  if (result.outcome !== 'exited') return 'timed_out'
  if (result.exitCode === 0) return 'done'
  // What the command printed is in the log already; what is not cut is why it could not be started.
  const own = result.truncated ? '' : decodeUtf8(result.stderr)
  print(build, `${own}the command ended with exit code ${result.exitCode}\n`)
  return 'failed'
}

function print({ log, request }: Build, text: string): void {
  log.push(encodeUtf8(text))
  request.onOutput?.(text)
}

function keyOf(above: string, step: Step, context: readonly FileEntry[]): string {
  const own = createHash('sha256').update(`${above}\0${JSON.stringify(step)}\0`)
  if (step.kind === 'copy') {
    const copied = copyEntries(context, step)
    for (const entry of 'entries' in copied ? copied.entries : [])
      own.update(JSON.stringify([entry.path, entry.mode, entry.kind, entry.content.length])).update(entry.content)
  }
  return own.digest('hex').slice(0, 12)
}
