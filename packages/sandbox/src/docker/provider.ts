import type { R2eError, Sandbox, SandboxProbe, SandboxProvider } from '@r2e/spec'
import { readFile, writeFiles } from './archive.ts'
import { buildImage, imageId } from './build.ts'
import { type Container, openContainer, removeContainer } from './container.ts'
import { createEngine, type DockerSandboxOptions, type Engine, engineError, statusOf } from './engine.ts'
import { execute } from './exec.ts'
import { LABELS, ownerLives, thisOwner } from './owner.ts'

const PROBE_LIMIT_MS = 10_000

/** Sandboxes are containers of a Docker engine. Nothing is loaded or asked before the first call. */
export function createDockerSandbox(options: DockerSandboxOptions = {}): SandboxProvider {
  const engine = createEngine(options)
  return {
    name: 'docker',
    probe: (signal) => probe(engine, signal),
    identity: (baseImage) => imageId(engine, baseImage),
    build: (request) => buildImage(engine, request),
    open: async (request) => sandboxOf(await openContainer(engine, request)),
    has: async (image) => (await imageId(engine, image)) !== undefined,
    tag: (image, name) => tagImage(engine, image, name),
    remove: (image) => removeImage(engine, image),
    sweep: () => sweep(engine),
  }
}

function sandboxOf(container: Container): Sandbox {
  return {
    id: container.id,
    exec: (request) => execute(container, request),
    write: (root, files) => writeFiles(container, root, files),
    read: (path, limit) => readFile(container, path, limit),
    [Symbol.asyncDispose]: () => container.end(),
  }
}

async function probe(engine: Engine, signal?: AbortSignal): Promise<SandboxProbe> {
  try {
    const info = await Promise.race([engine.info(), noAnswer(signal)])
    if (info.OSType !== 'linux')
      return {
        ok: false,
        detail: `Docker runs ${info.OSType} containers`,
        fix: 'switch Docker to Linux containers',
        warnings: [],
      }
    const warnings = [
      !info.MemoryLimit && 'this engine cannot limit memory',
      !info.SwapLimit && 'this engine cannot limit swap: a sandbox may use more memory than its limit',
      !info.PidsLimit && 'this engine cannot limit processes',
      !info.CpuCfsQuota && 'this engine cannot limit processor time',
    ].filter((line) => line !== false)
    return { ok: true, detail: `Docker ${info.ServerVersion}, ${info.OSType}/${info.Architecture}`, warnings }
  } catch (error) {
    const { message, fix } = error as R2eError
    return { ok: false, detail: message, fix, warnings: [] }
  }
}

function noAnswer(signal?: AbortSignal): Promise<never> {
  const late = AbortSignal.timeout(PROBE_LIMIT_MS)
  const given = signal ? AbortSignal.any([signal, late]) : late
  return new Promise((_, reject) => {
    const refuse = (): void => reject(engineError('answer in time', given.reason))
    if (given.aborted) refuse()
    given.addEventListener('abort', refuse, { once: true })
  })
}

async function tagImage(engine: Engine, image: string, name: string): Promise<void> {
  const [repo = '', tag = 'latest'] = name.split(/:(?=[^/]*$)/)
  await engine.call(`name the image ${image}`, (docker) => docker.getImage(image).tag({ repo, tag }))
}

/** Takes the name away and the image with it; what it was built from stays, as cache of other images. */
async function removeImage(engine: Engine, image: string): Promise<void> {
  try {
    await engine.call(`remove the image ${image}`, (docker) =>
      docker.getImage(image).remove({ force: true, noprune: true }),
    )
  } catch (error) {
    if (statusOf(error) !== 404) throw error
  }
}

/** Containers whose owner died before they were started, or whose switch failed. */
async function sweep(engine: Engine): Promise<number> {
  const containers = await engine.call('list containers', (docker) =>
    docker.listContainers({ all: true, filters: { label: [`${LABELS.host}=${thisOwner().host}`] } }),
  )
  const dead = containers.filter(({ Labels }) => !ownerLives(Labels))
  for (const { Id } of dead) await removeContainer(engine, Id)
  return dead.length
}
