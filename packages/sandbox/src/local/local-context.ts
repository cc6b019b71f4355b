import { mkdir, readFile, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { R2eError, userError } from '@r2e/spec'
import { writeRoot } from './base-layer.ts'
import { type ClientSettings, readClientSettings } from './client-settings.ts'
import { planHostRoot } from './host-root.ts'
import { detectIdentity } from './identity.ts'
import { planImageRoot } from './image-root.ts'
import type { Root } from './root.ts'
import { openStore, type Store } from './store.ts'
import { createToolBox, missingTools, type ToolBox } from './tool-box.ts'

export interface LocalSandboxOptions {
  /** Where layers and live sandboxes lie; made where it is missing. */
  readonly stateDirectory: string
  /** Unpacked image root; absent = the host's own tree. Never written to. */
  readonly rootfs?: string | undefined
  /** Home whose toolchains a sandbox of the host's tree shows (default: the user's). */
  readonly home?: string | undefined
  /**
   * Environment of the caller. Read are PATH and toolchain variables (host's tree only), and, for building only, the
   * settings of package clients. Nothing else reaches a sandbox.
   */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined
}

/** What one provider works with; made on first use. */
export interface LocalContext {
  readonly store: Store
  readonly toolBox: ToolBox
  readonly root: Root
  readonly clientSettings: ClientSettings
}

export async function createContext(options: LocalSandboxOptions): Promise<LocalContext> {
  const { environment = {} } = options
  if (process.platform !== 'linux')
    throw userError('sandbox_unsupported', 'the local sandbox needs Linux', { fix: 'use --sandbox docker' })
  if (parseInt(await readFile('/proc/self/stat', 'latin1'), 10) !== process.pid)
    throw userError(
      'sandbox_unsupported',
      '/proc belongs to another process namespace, so processes cannot be told apart',
      {
        fix: 'mount a /proc of this namespace (unshare --mount-proc)',
      },
    )
  const missing = await missingTools()
  if (missing.length > 0)
    throw userError('sandbox_tool_missing', `the local sandbox needs ${missing.join(', ')}`, {
      fix: 'install util-linux, mount, coreutils, tar and libc-bin',
    })
  const identity = await detectIdentity()
  if ('error' in identity) throw new R2eError('sandbox_unsupported', 'user', `no namespaces here: ${identity.error}`)
  await mkdir(options.stateDirectory, { recursive: true })
  const stateDirectory = await realpath(options.stateDirectory)
  const store = await openStore(stateDirectory, identity)
  const plan = options.rootfs
    ? await planImageRoot(options.rootfs, stateDirectory)
    : await planHostRoot({
        home: options.home ?? homedir(),
        environment,
        stateDirectory,
        mounts: identity.userAttributes ? await mountPointsOfHost() : [],
        asRoot: process.geteuid?.() === 0,
      })
  const [toolBox, clientSettings, root] = await Promise.all([
    createToolBox(join(stateDirectory, 't')),
    readClientSettings(environment, join(stateDirectory, 'c')),
    writeRoot(store, plan),
  ])
  return { store, toolBox, root, clientSettings }
}

async function mountPointsOfHost(): Promise<string[]> {
  const table = await readFile('/proc/self/mountinfo', 'utf8')
  const unquote = (path: string): string =>
    path.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))
  return table
    .split('\n')
    .flatMap((line) => line.split(' ')[4] ?? [])
    .map(unquote)
}
