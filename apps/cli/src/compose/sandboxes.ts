import { type RunConfig, type SandboxProvider, userError } from '@r2e/spec'

type Kind = 'docker' | 'local'

export interface SandboxRequest {
  readonly provider: RunConfig['sandbox']['provider']
  readonly rootfs: string | null
  /** Absolute path of the `.r2e` folder. */
  readonly stateDirectory: string
  readonly signal: AbortSignal
}

/**
 * The sandbox of a run; `auto` takes Docker if it answers, else the local one.
 * @throws R2eError `no_sandbox` with the reason of each kind that was tried
 */
export async function openSandboxProvider(request: SandboxRequest): Promise<SandboxProvider> {
  const reasons: string[] = []
  const fixes: string[] = []
  for (const kind of kindsOf(request)) {
    const provider = await createProvider(kind, request)
    const probe = await provider.probe(request.signal)
    if (probe.ok) return provider
    reasons.push(`${kind}: ${probe.detail}`)
    if (probe.fix) fixes.push(`${kind}: ${probe.fix}`)
  }
  throw userError('no_sandbox', `no sandbox can run here (${reasons.join('; ')})`, {
    fix: [...fixes, 'r2e doctor shows what this machine has'].join('; '),
  })
}

// A root for the local sandbox says which one is meant.
function kindsOf({ provider, rootfs }: SandboxRequest): readonly Kind[] {
  if (provider === 'docker' || provider === 'local') return [provider]
  return rootfs === null ? ['docker', 'local'] : ['local']
}

export async function createProvider(
  kind: Kind,
  settings: Pick<SandboxRequest, 'rootfs' | 'stateDirectory'>,
): Promise<SandboxProvider> {
  if (kind === 'docker') return (await import('@r2e/sandbox/docker')).createDockerSandbox()
  const { createLocalSandbox } = await import('@r2e/sandbox/local')
  const { rootfs, stateDirectory } = settings
  return createLocalSandbox({ stateDirectory, ...(rootfs === null ? {} : { rootfs }) })
}
