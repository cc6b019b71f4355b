import type { Sandbox, SandboxProvider } from '@r2e/spec'
import { buildImage } from './build.ts'
import { execute } from './exec.ts'
import { readFromSandbox, writeToSandbox } from './files.ts'
import { countLayers, pruneLayers, touchImage } from './layers.ts'
import { type LiveSandbox, openLive } from './live-sandbox.ts'
import { createContext, type LocalContext, type LocalSandboxOptions } from './local-context.ts'
import { probeLocal } from './probe.ts'
import { hasImage, readImage, removeImage } from './store.ts'
import { sweepStore } from './sweep.ts'

/**
 * Sandboxes made of Linux namespaces and overlays: no daemon, no image registry. `FROM` means the host's own tree or
 * `rootfs`, whatever its name; both stay untouched.
 */
export function createLocalSandbox(options: LocalSandboxOptions): SandboxProvider {
  let pending: Promise<LocalContext> | undefined
  const context = (): Promise<LocalContext> => {
    pending ??= createContext(options).catch((error: unknown) => {
      pending = undefined
      throw error
    })
    return pending
  }
  return {
    name: 'local',
    probe: () => probeLocal(options),
    identity: async () => (await context()).root.id,
    build: async (request) => await buildImage(await context(), request),
    async open({ image, network = false, limits, signal }) {
      signal?.throwIfAborted()
      const own = await context()
      const found = await readImage(own.store, image)
      await touchImage(own.store, image)
      const live = await openLive(own, { image: found, network, limits })
      if (!signal?.aborted) return toSandbox(live)
      await live.close()
      throw signal.reason
    },
    has: async (image) => await hasImage((await context()).store, image),
    async remove(image) {
      const { store } = await context()
      await removeImage(store, image)
      await pruneLayers(store)
    },
    sweep: async () => await sweepStore((await context()).store),
  }
}

/** Removes layers that no image and no live sandbox needs and that nobody used for so long. Answers how many went. */
export async function pruneLocalLayers(options: LocalSandboxOptions, olderThanMs: number): Promise<number> {
  const { store } = await createContext(options)
  const before = await countLayers(store)
  await pruneLayers(store, olderThanMs)
  return before - (await countLayers(store))
}

function toSandbox(live: LiveSandbox): Sandbox {
  return {
    id: live.id,
    exec: (request) => execute(live, request),
    write: (root, files) => writeToSandbox(live, root, files),
    read: (path, limit) => readFromSandbox(live, path, limit),
    [Symbol.asyncDispose]: () => live.close(),
  }
}
