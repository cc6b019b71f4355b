import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createProvider } from '../compose/sandboxes.ts'
import type { Context } from '../context.ts'
import type { Check } from './check.ts'
import { nearestFolder } from './disk.ts'

/** One working sandbox is enough: the other is then only absent. Nothing is left behind. */
export async function sandboxChecks(stateDirectory: string, context: Context): Promise<readonly Check[]> {
  // beside where state would lie, for the local sandbox depends on the file system
  const trial = await mkdtemp(join(await nearestFolder(stateDirectory), '.r2e-doctor-')).catch(() => undefined)
  try {
    return await probeAll(trial ?? stateDirectory, context)
  } finally {
    if (trial) await rm(trial, { recursive: true, force: true })
  }
}

async function probeAll(stateDirectory: string, context: Context): Promise<readonly Check[]> {
  const kinds = ['docker', 'local'] as const
  const probes = await Promise.all(
    kinds.map(async (kind) => {
      const provider = await createProvider(kind, { rootfs: null, stateDirectory, context })
      return { kind, probe: await provider.probe(context.signal) }
    }),
  )
  const none = probes.every(({ probe }) => !probe.ok)
  return probes.map(({ kind, probe }) => ({
    name: `sandbox ${kind}`,
    ok: probe.ok,
    needed: none,
    detail: probe.detail,
    warnings: probe.warnings,
    ...(probe.fix === undefined ? {} : { fix: probe.fix }),
  }))
}
