import type { OpenRequest } from '@r2e/spec'
import type Docker from 'dockerode'
import { type Engine, statusOf } from './engine.ts'
import { createHolder, HOLDER_COMMAND, type Holder } from './holder.ts'
import { ownLabels } from './owner.ts'

/** An open container and what is known about it. */
export interface Container {
  readonly engine: Engine
  readonly id: string
  readonly holder: Holder
  /** The image's user: commands run as this one unless asked otherwise; the holder itself is root. */
  readonly user: string
  /** Milliseconds since 1970. */
  readonly opened: number
  /** Commands under way. */
  readonly runs: Set<{ killed: boolean }>
  /** How often the kernel killed for want of memory so far. */
  memoryKills: number
  /** True once its owner ended it. */
  ended: boolean
  /** Removes the container, whatever its state; waits until it is gone. */
  end(): Promise<void>
}

const ANSWER_LIMIT_MS = 30_000

export async function openContainer(engine: Engine, request: OpenRequest): Promise<Container> {
  request.signal?.throwIfAborted()
  const opened = Date.now()
  const [image, cpus] = await Promise.all([
    engine.call(`open the image ${request.image}`, (docker) => docker.getImage(request.image).inspect()),
    engine.cpus(),
  ])
  const created = await engine.call(`create a container of ${request.image}`, (docker) =>
    docker.createContainer(containerOptions(engine, request, cpus)),
  )
  let ending: Promise<void> | undefined
  try {
    request.signal?.throwIfAborted()
    const stream = await engine.call('attach to a container', () =>
      created.attach({ stream: true, stdin: true, stdout: true, hijack: true }),
    )
    const holder = createHolder(stream as import('node:stream').Duplex)
    await engine.call(`start a container of ${request.image}`, () => created.start())
    const container: Container = {
      engine,
      id: created.id,
      holder,
      user: image.Config.User,
      opened,
      runs: new Set(),
      memoryKills: (await holder.ask('look', ANSWER_LIMIT_MS)) ?? 0,
      ended: false,
      end() {
        container.ended = true
        holder.close()
        ending ??= removeContainer(engine, created.id)
        return ending
      },
    }
    request.signal?.throwIfAborted()
    return container
  } catch (error) {
    await removeContainer(engine, created.id)
    throw error
  }
}

function containerOptions(engine: Engine, request: OpenRequest, cpus: number): Docker.ContainerCreateOptions {
  const { limits, network } = request
  const memory = Math.round(limits.memoryMb * 2 ** 20)
  return {
    Image: request.image,
    Entrypoint: [...HOLDER_COMMAND],
    Cmd: [],
    User: '0:0',
    // A base image's health check would run beside the tests.
    Healthcheck: { Test: ['NONE'] },
    Labels: ownLabels(request.run),
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    HostConfig: {
      Init: true,
      AutoRemove: true,
      NetworkMode: network ? (engine.options.network ?? 'bridge') : 'none',
      // The engine refuses more processors than the machine has.
      NanoCpus: Math.round(Math.min(limits.cpus, cpus) * 1e9),
      Memory: memory,
      MemorySwap: memory,
      // The holder and its init are not the sandbox's own.
      PidsLimit: limits.pids + 2,
      LogConfig: { Type: 'none', Config: {} },
    },
  }
}

/** Absent is fine: that is what was wanted. A removal under way by another hand is awaited. */
export async function removeContainer(engine: Engine, id: string): Promise<void> {
  try {
    await engine.call('remove a container', (docker) => docker.getContainer(id).remove({ force: true, v: true }))
  } catch (error) {
    const status = statusOf(error)
    if (status === 404) return
    if (status !== 409) throw error
    await engine.call('await the removal of a container', (docker) => awaitRemoval(docker.getContainer(id)))
  }
}

async function awaitRemoval(container: Docker.Container): Promise<void> {
  try {
    await container.wait({ condition: 'removed' })
  } catch (error) {
    if (statusOf(error) !== 404) throw error
  }
}
