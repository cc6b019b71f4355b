import { isR2eError, R2eError } from '@r2e/spec'
import type Docker from 'dockerode'

export interface DockerSandboxOptions {
  /** Path of the engine's socket; absent = what DOCKER_HOST and its companions say, else the usual place. */
  readonly socketPath?: string | undefined
  /** Address of the engine instead of a socket: `tcp://host:2375`, `ssh://user@host`, `unix:///path`. */
  readonly host?: string | undefined
  /** Network of sandboxes that ask for one (default `bridge`). */
  readonly network?: string | undefined
  /** Proxy variables of the build steps (HTTP_PROXY and the like); other names are ignored. No image stores them. */
  readonly proxy?: Readonly<Record<string, string>> | undefined
}

/** The engine, its client library loaded on first use. */
export interface Engine {
  readonly options: DockerSandboxOptions
  client(): Promise<Docker>
  /** One call, with a limit; every failure becomes an R2eError that names `what`. */
  call<T>(what: string, work: (client: Docker) => Promise<T>): Promise<T>
  info(): Promise<EngineInfo>
  /** How many processors it has; asked once. */
  cpus(): Promise<number>
}

/** What is read of the engine's description of itself. */
export interface EngineInfo {
  readonly ServerVersion: string
  readonly OSType: string
  readonly Architecture: string
  readonly NCPU: number
  readonly MemoryLimit: boolean
  readonly SwapLimit: boolean
  readonly PidsLimit: boolean
  readonly CpuCfsQuota: boolean
}

/** The engine may be slow under load, but a call without an answer for this long is a dead engine. */
const CALL_LIMIT_MS = 180_000

export function createEngine(options: DockerSandboxOptions): Engine {
  let loaded: Promise<Docker> | undefined
  let cpus: number | undefined
  const engine: Engine = {
    options,
    client() {
      loaded ??= load(options)
      return loaded
    },
    async call(what, work) {
      try {
        return await withLimit(work(await engine.client()))
      } catch (error) {
        throw engineError(what, error)
      }
    },
    info: () => engine.call('describe itself', (docker) => docker.info() as Promise<EngineInfo>),
    async cpus() {
      cpus ??= (await engine.info()).NCPU
      return cpus
    },
  }
  return engine
}

async function withLimit<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), CALL_LIMIT_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

async function load(options: DockerSandboxOptions): Promise<Docker> {
  const { default: Client } = await import('dockerode')
  // An absent host, said aloud, wins over the one of DOCKER_HOST.
  if (options.socketPath) return new Client({ socketPath: options.socketPath, host: undefined })
  if (!options.host) return new Client()
  const url = new URL(options.host.includes('//') ? options.host : `tcp://${options.host}`)
  if (url.protocol === 'unix:') return new Client({ socketPath: url.pathname, host: undefined })
  const protocol = url.protocol === 'ssh:' || url.protocol === 'https:' ? url.protocol.slice(0, -1) : undefined
  return new Client({
    host: url.hostname,
    ...(protocol && { protocol: protocol as 'ssh' | 'https' }),
    ...(url.port && { port: url.port }),
    ...(url.username && { username: url.username }),
  })
}

/** The HTTP status of a failed call, where the engine answered. */
export function statusOf(error: unknown): number | undefined {
  const source = isR2eError(error) ? error.cause : error
  const status = (source as { statusCode?: unknown } | undefined)?.statusCode
  return typeof status === 'number' ? status : undefined
}

/** What the engine said, or what the network did, on one line. */
export function reasonOf(error: unknown): string {
  const { json, message, code } = error as { json?: { message?: unknown }; message?: unknown; code?: unknown }
  const text = typeof json?.message === 'string' ? json.message : String(message || code || error)
  return text
    .replace(/^\(HTTP code \d+\) [a-z ]+ - /, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

export function engineError(what: string, error: unknown): R2eError {
  if (isR2eError(error)) return error
  const status = statusOf(error)
  const reason = reasonOf(error)
  const message = `Docker could not ${what}: ${reason}`
  if (/no space left on device/i.test(reason))
    return new R2eError('disk_full', 'transient', message, {
      fix: 'free disk space where Docker keeps images',
      cause: error,
    })
  if (status === undefined)
    return new R2eError('docker_unavailable', 'transient', message, { fix: fixOf(error), cause: error })
  const fault = status === 400 ? 'user' : 'transient'
  return new R2eError('docker_refused', fault, message, { details: { status }, cause: error })
}

/** What a person does about an engine that cannot be reached. */
function fixOf(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code
  if (code === 'EACCES' || code === 'EPERM')
    return 'add your user to the group docker and log in again, or use --sandbox local'
  return 'start Docker, or point DOCKER_HOST at a running engine, or use --sandbox local'
}
