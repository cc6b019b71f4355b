import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { type BuildRequest, type BuildResult, decodeUtf8, R2eError } from '@r2e/spec'
import { packTar, type TarEntry, tarEntries } from '../tar.ts'
import { type BuildLog, createBuildLog } from './build-log.ts'
import { removeContainer } from './container.ts'
import { type Engine, engineError, reasonOf, statusOf } from './engine.ts'
import { LABELS } from './owner.ts'

const CANCEL_LIMIT_MS = 10_000
const PROXY_NAMES = /^(https?|ftp|no|all)_proxy$/i

/**
 * Builds with the classic builder. An image is named after its context and base: equal ones are built once. One that is
 * built afresh takes the name of the standing one, which goes.
 */
export async function buildImage(engine: Engine, request: BuildRequest): Promise<BuildResult> {
  request.signal?.throwIfAborted()
  const started = performance.now()
  const durationMs = (): number => Math.round(performance.now() - started)
  const entries = tarEntries(request.context)
  const dockerfile = dockerfileOf(request)
  const image = await nameOf(engine, entries, dockerfile)
  const standing = await imageId(engine, image)
  if (standing && !request.fresh) return { ok: true, image, durationMs: durationMs(), log: '' }

  const log = createBuildLog(request.onOutput)
  const late = AbortSignal.timeout(request.timeoutMs)
  const signal = request.signal ? AbortSignal.any([request.signal, late]) : late
  const failure = await runBuild(engine, { request, entries, image, log, signal }).then(
    () => failureIn(log),
    async (error: unknown) => {
      if (!signal.aborted) return refusal(log, dockerfile, error)
      await awaitCancel(engine, log.container)
      request.signal?.throwIfAborted()
      return { reason: 'timed_out', step: log.step } as const
    },
  )
  if (failure) return { ok: false, ...failure, durationMs: durationMs(), log: log.text() }
  const made = await imageId(engine, image)
  if (!made) throw new R2eError('build_cut', 'transient', 'Docker ended a build without an image and without an error')
  if (standing && standing !== made) await removeNameless(engine, standing)
  return { ok: true, image, durationMs: durationMs(), log: log.text() }
}

type Failure = Pick<BuildResult & { ok: false }, 'reason' | 'step'>

function failureIn({ error, step }: BuildLog): Failure | undefined {
  if (error === undefined) return undefined
  if (/no space left on device/i.test(error)) throw engineError('build an image', new Error(error))
  if (!/^from\s/i.test(step)) return { reason: 'step_failed', step }
  if (/toomanyrequests|unexpected EOF|connection reset|TLS handshake timeout/i.test(error))
    throw new R2eError('pull_failed', 'transient', `Docker could not pull a base image: ${error}`)
  return { reason: 'base_image_missing', step }
}

/** The engine refuses a Dockerfile before its first step with a status, not in the stream. */
function refusal(log: BuildLog, dockerfile: string, error: unknown): Failure {
  if (statusOf(error) !== 400) throw engineError('build an image', error)
  const reason = reasonOf(error)
  log.add(`${reason}\n`)
  return { reason: 'step_failed', step: lineOf(dockerfile, reason) }
}

interface Build {
  readonly request: BuildRequest
  readonly entries: readonly TarEntry[]
  readonly image: string
  readonly log: BuildLog
  readonly signal: AbortSignal
}

async function runBuild(engine: Engine, { request, entries, image, log, signal }: Build): Promise<void> {
  const docker = await engine.client()
  const proxies = Object.entries(engine.options.proxy ?? {}).filter(([name]) => PROXY_NAMES.test(name))
  const stream = await docker.buildImage(Readable.from(packTar(entries)), {
    t: image,
    version: '1',
    rm: true,
    forcerm: true,
    labels: { [LABELS.run]: request.run },
    ...(request.network === false && { networkmode: 'none' }),
    ...(request.fresh && { nocache: true }),
    buildargs: Object.fromEntries(proxies),
    abortSignal: signal,
  })
  for await (const chunk of stream) log.feed(Buffer.from(chunk as Uint8Array))
  signal.throwIfAborted()
}

/** Closing the connection cancels the build; the container of its running step takes a moment to go. */
async function awaitCancel(engine: Engine, container: string | undefined): Promise<void> {
  if (!container) return
  const limit = performance.now() + CANCEL_LIMIT_MS
  while (performance.now() < limit) {
    if (!(await containerExists(engine, container))) return
    await sleep(50)
  }
  await removeContainer(engine, container)
}

async function containerExists(engine: Engine, id: string): Promise<boolean> {
  return await existing(engine.call('look at a container', (docker) => docker.getContainer(id).inspect())).then(Boolean)
}

export async function imageId(engine: Engine, name: string): Promise<string | undefined> {
  const found = await existing(engine.call('look at an image', (docker) => docker.getImage(name).inspect()))
  return found?.Id
}

/** One that sandboxes still run on, or that has another name, stays. */
async function removeNameless(engine: Engine, id: string): Promise<void> {
  await engine
    .call('remove an image', (docker) => docker.getImage(id).remove({ noprune: true }))
    .catch((error: unknown) => {
      if (statusOf(error) !== 404 && statusOf(error) !== 409) throw error
    })
}

async function existing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    // 400: no valid name, so no image either; the build says what is wrong with it.
    if (statusOf(error) === 404 || statusOf(error) === 400) return undefined
    throw error
  }
}

/** The base counts by its id: a rebuilt base makes another image. */
async function nameOf(engine: Engine, entries: readonly TarEntry[], dockerfile: string): Promise<string> {
  const hash = createHash('sha256')
  for (const chunk of packTar(entries)) hash.update(chunk)
  const base = /^\s*from\s+(\S+)/im.exec(dockerfile)?.[1]
  if (base) hash.update((await imageId(engine, base)) ?? base)
  return `r2e/sandbox:${hash.digest('hex').slice(0, 32)}`
}

function dockerfileOf({ context }: BuildRequest): string {
  const file = context.find(({ path }) => path === 'Dockerfile')
  if (!file) throw new R2eError('no_dockerfile', 'bug', 'the build context holds no Dockerfile')
  return decodeUtf8(file.content)
}

function lineOf(dockerfile: string, reason: string): string {
  const number = /\bline (\d+)/i.exec(reason)?.[1]
  return (number && dockerfile.split('\n')[Number(number) - 1]?.trim()) || 'Dockerfile'
}
