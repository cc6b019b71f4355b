import { readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { release } from 'node:os'
import { isR2eError, type SandboxProbe } from '@r2e/spec'
import { execute } from './exec.ts'
import { openLive } from './live-sandbox.ts'
import { createContext, type LocalContext, type LocalSandboxOptions } from './local-context.ts'

const OVERLAY_MAGIC = 0x794c7630
const TRIAL_LIMITS = { cpus: 1, memoryMb: 256, pids: 64 }

/** Tries the real thing: a sandbox is opened and a command run in it. */
export async function probeLocal(options: LocalSandboxOptions): Promise<SandboxProbe> {
  try {
    const context = await createContext(options)
    const warnings = await trial(context)
    const root = options.rootfs ?? "the host's own tree"
    return { ok: true, detail: `Linux namespaces, ${NAMES[context.store.identity.kind]}, root: ${root}`, warnings }
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    const fix = (isR2eError(error) && error.fix) || (await kernelFix(options.stateDirectory))
    return { ok: false, detail: detail.replaceAll('\n', '; '), ...(fix && { fix }), warnings: [] }
  }
}

const NAMES = { root: 'as root', mapped: 'subordinate user ids', single: 'one user id' }

async function trial(context: LocalContext): Promise<string[]> {
  const image = { root: context.root.id, layers: [], env: {}, workdir: '/' }
  const live = await openLive(context, { image, network: false, limits: TRIAL_LIMITS })
  try {
    const result = await execute(live, { argv: ['/bin/sh', '-c', ': >/usr/r2e-probe'], timeoutMs: 10_000 })
    if (result.exitCode !== 0)
      throw new Error(`a command failed in the sandbox: ${Buffer.from(result.stderr).toString().trim()}`)
    const { groups, identity } = live.entrance
    const warnings: string[] = []
    if (!groups.memory || !groups.pids)
      warnings.push('no writable control group: memory and processes are sampled, and processors are not limited')
    if (identity.kind === 'single')
      warnings.push(
        'one user id: no apt, no chown, no second user; newuidmap (Debian: uidmap) and a range in /etc/subuid and /etc/subgid would add them',
      )
    return warnings
  } finally {
    await live.close()
  }
}

/** What to do about the usual reasons why the kernel refuses. */
async function kernelFix(stateDirectory: string): Promise<string | undefined> {
  if (setting('/proc/sys/kernel/unprivileged_userns_clone') === '0')
    return 'sysctl -w kernel.unprivileged_userns_clone=1'
  if (setting('/proc/sys/kernel/apparmor_restrict_unprivileged_userns') === '1')
    return 'sysctl -w kernel.apparmor_restrict_unprivileged_userns=0'
  if (setting('/proc/sys/user/max_user_namespaces') === '0') return 'sysctl -w user.max_user_namespaces=15000'
  if (!/\boverlay$/m.test(setting('/proc/filesystems') ?? '')) return 'modprobe overlay'
  const files = await statfs(stateDirectory).catch(() => undefined)
  if (files?.type === OVERLAY_MAGIC)
    return 'choose a --state-dir on a real disk or a tmpfs: this one lies on an overlay, and overlays do not stack'
  if (Number(release().split('.')[0]) < 5) return 'a kernel of 5.11 or later'
  return 'allow user and mount namespaces here (in a container: --privileged), or use --sandbox docker'
}

function setting(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1').trim()
  } catch {
    return undefined
  }
}
