import { createProvider } from '../compose/sandboxes.ts'
import type { Check } from './checks.ts'

/** One working sandbox is enough: the other is then only absent. */
export async function sandboxChecks(stateDirectory: string, signal: AbortSignal): Promise<readonly Check[]> {
  const kinds = ['docker', 'local'] as const
  const probes = await Promise.all(
    kinds.map(async (kind) => {
      const provider = await createProvider(kind, { rootfs: null, stateDirectory })
      return { kind, probe: await provider.probe(signal) }
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
