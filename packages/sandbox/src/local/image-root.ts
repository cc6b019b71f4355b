import { readFile, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { digestOf, userError } from '@r2e/spec'
import { mountPoints } from './device-files.ts'
import type { BaseContent, RootPlan } from './root.ts'
import { isWithin } from './root.ts'
import { DEFAULT_PATH, existing } from './search-path.ts'

/** Plans a root from an unpacked image (`docker export`). The folder is never written to. */
export async function planImageRoot(rootfs: string, stateDirectory: string): Promise<RootPlan> {
  const lower = await realpath(rootfs).catch(() => undefined)
  if (!lower || !(await stat(join(lower, 'usr')).catch(() => undefined)))
    throw userError('rootfs_missing', `${rootfs} is not an unpacked image root (no usr folder)`, {
      fix: 'unpack one with: docker export CONTAINER | tar -x -C DIRECTORY',
    })
  if (isWithin(stateDirectory, lower))
    throw userError('rootfs_holds_state', `the state directory ${stateDirectory} lies inside the image root ${lower}`, {
      fix: 'choose another --state-dir',
    })
  const path = await existing(DEFAULT_PATH, (folder) => join(lower, folder))
  const env = { PATH: path.join(':'), HOME: '/root' }
  const base = mergeTemporary(mountPoints())
  const marks = await Promise.all(
    ['', 'usr/bin', 'usr/lib', 'etc', 'var/lib/dpkg/status'].map((name) => mark(join(lower, name))),
  )
  const release = await readFile(join(lower, 'usr/lib/os-release'), 'utf8').catch(() => '')
  const parts = [{ path: '/', lower }]
  const id = digestOf(JSON.stringify({ version: 1, kind: 'image', parts, env, base, marks, release })).slice(7, 19)
  return { root: { id, kind: 'image', parts, env }, base }
}

/** Changes when something is installed or replaced; absent is a value too. */
export async function mark(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  return found ? `${found.dev}:${found.ino}:${found.mtimeMs}` : 'absent'
}

function mergeTemporary(base: BaseContent): BaseContent {
  return { ...base, folders: [...base.folders, { path: '/tmp', mode: 0o1777 }] }
}
