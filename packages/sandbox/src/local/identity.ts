import { readFileSync } from 'node:fs'
import { runHost } from './run-host.ts'

/**
 * What the kernel lets this user do. `root`: real root, no user namespace needed. `mapped`: a user namespace with root and the
 * user's subordinate ids. `single`: a user namespace in which root is the only user.
 */
export interface Identity {
  readonly kind: 'root' | 'mapped' | 'single'
  /** Flags of unshare(1) that map users; empty where no user namespace is needed. */
  readonly mapFlags: readonly string[]
  /** Overlays keep their marks in `user.` attributes, the only ones a user namespace may write. */
  readonly userAttributes: boolean
}

/** Finds the strongest identity that works here by trying, or the error text of the weakest. */
export async function detectIdentity(): Promise<Identity | { readonly error: string }> {
  if (process.geteuid?.() === 0) {
    const asRoot = await tryFlags([])
    // Root of a container may be root of a user namespace already, and then perhaps its only user.
    const kind = read('/proc/self/setgroups').trim() === 'deny' ? 'single' : 'root'
    if (asRoot === undefined) return { kind, mapFlags: [], userAttributes: !inInitialUserNamespace() }
  }
  const mapped = ['--user', '--map-root-user', '--map-auto']
  if ((await tryFlags(mapped)) === undefined) return { kind: 'mapped', mapFlags: mapped, userAttributes: true }
  const single = ['--user', '--map-root-user']
  const error = await tryFlags(single)
  if (error === undefined) return { kind: 'single', mapFlags: single, userAttributes: true }
  return { error }
}

async function tryFlags(flags: readonly string[]): Promise<string | undefined> {
  const result = await runHost({ argv: ['unshare', ...flags, '--mount', '--pid', '--fork', '--net', 'true'] })
  return result.exitCode === 0 ? undefined : result.stderr.trim()
}

function inInitialUserNamespace(): boolean {
  return /^\s*0\s+0\s+4294967295\s*$/.test(read('/proc/self/uid_map'))
}

function read(path: string): string {
  return readFileSync(path, 'latin1')
}
