import { join } from 'node:path'
import { type RunConfig, type SandboxProvider, userError } from '@r2e/spec'
import type { Context } from '../context.ts'

type Kind = 'docker' | 'local'

export interface SandboxRequest {
  readonly provider: RunConfig['sandbox']['provider']
  readonly rootfs: string | null
  /** Absolute path of the `.r2e` folder. */
  readonly stateDirectory: string
  readonly context: Context
}

/**
 * The sandbox of a run; `auto` takes Docker if it answers, else the local one.
 * @throws R2eError `no_sandbox` with the reason of each kind that was tried
 */
export async function openSandboxProvider(request: SandboxRequest): Promise<SandboxProvider> {
  const { provider, requireWorking } = await chooseSandboxProvider(request)
  await requireWorking()
  return provider
}

export interface ChosenProvider {
  readonly provider: SandboxProvider
  /** @throws R2eError `no_sandbox` where it cannot run here */
  requireWorking(): Promise<void>
}

/** The same one, not tried before it is needed where there is no choice left: a trial of the local one starts a sandbox. */
export async function chooseSandboxProvider(request: SandboxRequest): Promise<ChosenProvider> {
  const failed: { readonly kind: Kind; readonly detail: string; readonly fix: string | undefined }[] = []
  const works = async (kind: Kind, provider: SandboxProvider) => {
    const { ok, detail, fix } = await provider.probe(request.context.signal)
    if (!ok) failed.push({ kind, detail, fix })
    return ok
  }
  const kinds = kindsOf(request)
  for (const kind of kinds.slice(0, -1)) {
    const provider = await createProvider(kind, request)
    if (await works(kind, provider)) return { provider, requireWorking: async () => {} }
  }
  const last = kinds.at(-1)!
  const provider = await createProvider(last, request)
  return {
    provider,
    async requireWorking() {
      if (!(await works(last, provider))) throw noSandbox(failed)
    },
  }
}

function noSandbox(failed: readonly { kind: Kind; detail: string; fix: string | undefined }[]): Error {
  const reasons = failed.map(({ kind, detail }) => `${kind}: ${detail}`)
  const fixes = failed.flatMap(({ kind, fix }) => (fix ? [`${kind}: ${fix}`] : []))
  return userError('no_sandbox', `no sandbox can run here (${reasons.join('; ')})`, {
    fix: [...fixes, 'r2e doctor shows what this machine has'].join('; '),
  })
}

// A root for the local sandbox says which one is meant.
function kindsOf({ provider, rootfs }: SandboxRequest): readonly [Kind, ...Kind[]] {
  if (provider === 'docker' || provider === 'local') return [provider]
  return rootfs === null ? ['docker', 'local'] : ['local']
}

export type ProviderSettings = Pick<SandboxRequest, 'rootfs' | 'stateDirectory' | 'context'>

export async function createProvider(kind: Kind, settings: ProviderSettings): Promise<SandboxProvider> {
  const { environment, home } = settings.context
  if (kind === 'docker') {
    const { createDockerSandbox } = await import('@r2e/sandbox/docker')
    return createDockerSandbox({ proxy: proxyVariables(environment) })
  }
  const { createLocalSandbox } = await import('@r2e/sandbox/local')
  const stateDirectory = join(settings.stateDirectory, 'sandbox')
  return createLocalSandbox({ stateDirectory, home, environment, rootfs: settings.rootfs ?? undefined })
}

function proxyVariables(environment: Context['environment']): Readonly<Record<string, string>> {
  const named = Object.entries(environment).filter(([name]) => /^(?:https?|ftp|all|no)_proxy$/i.test(name))
  return Object.fromEntries(named.flatMap(([name, value]) => (value ? [[name, value]] : [])))
}
