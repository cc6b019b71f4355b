import { Readable } from 'node:stream'
import { type FileEntry, pathToBytes, R2eError } from '@r2e/spec'
import { createOutputWindow } from '../output-window.ts'
import { foldersOf, packTar, type TarEntry, tarEntries } from '../tar.ts'
import { readSingleFile } from '../untar.ts'
import { runCommand } from './command.ts'
import { enterCommand } from './enter.ts'
import type { LiveSandbox } from './live-sandbox.ts'
import { HOST_ENV } from './run-host.ts'
import { ROOT_USER } from './user-ids.ts'

const DEFAULT_READ_LIMIT = 64 * 2 ** 20
const UNPACK = [
  '--extract',
  '--file=-',
  '--directory=/',
  '--no-overwrite-dir',
  '--keep-directory-symlink',
  '--numeric-owner',
  '--preserve-permissions',
]
/** Names come as bytes through standard input: an argument of ours could not carry them. */
const PACK = [
  '--create',
  '--file=-',
  '--directory=/',
  '--no-recursion',
  '--null',
  '--verbatim-files-from',
  '--files-from=-',
]

/** Puts files below `root`: folders that exist keep owner and mode, a link that stands at a file's place goes. */
export async function writeToSandbox(sandbox: LiveSandbox, root: string, files: readonly FileEntry[]): Promise<void> {
  if (!root.startsWith('/')) throw new R2eError('bad_path', 'bug', `not an absolute folder: ${root}`)
  // Checked before the prefix could hide a path that leaves it.
  tarEntries(files)
  const prefix = root.split('/').filter(Boolean).join('/')
  const within = (path: string): string => (prefix ? `${prefix}/${path}` : path)
  const entries = tarEntries(files.map((file) => ({ ...file, path: within(file.path) })))
  await unpack(sandbox, files.length > 0 ? entries : foldersOf(within('x')).map(folderEntry))
}

export function folderEntry(path: string): TarEntry {
  return { path, kind: 'folder', mode: 0o755, content: new Uint8Array() }
}

/** Unpacks entries whose paths start at `/`. */
export async function unpack(sandbox: LiveSandbox, entries: readonly TarEntry[]): Promise<void> {
  if (entries.length === 0) return
  sandbox.assertAlive()
  const errors = createOutputWindow(4096)
  // The present, not a fixed time: bytecode caches compare times, and a fixed one would serve stale code.
  const now = Math.trunc(Date.now() / 1000)
  const exitCode = await runCommand({
    argv: toolCommand(sandbox, 'tar', UNPACK),
    env: HOST_ENV,
    stdin: packTar(entries, now),
    onStdout: () => undefined,
    onStderr: (chunk) => errors.push(chunk),
  })
  sandbox.assertAlive()
  if (exitCode === 0) return
  const reason = Buffer.from(errors.bytes()).toString().trim()
  throw new R2eError('sandbox_write_failed', 'transient', `could not write files into the sandbox: ${reason}`)
}

/** The bytes of a regular file, or undefined where there is none; links are not followed. */
export async function readFromSandbox(
  sandbox: LiveSandbox,
  path: string,
  limit: number = DEFAULT_READ_LIMIT,
): Promise<Uint8Array | undefined> {
  sandbox.assertAlive()
  const name = Buffer.from(pathToBytes(path.replace(/^\/+/, '')))
  const output = new Readable({ read: () => undefined })
  const done = runCommand({
    argv: toolCommand(sandbox, 'tar', PACK),
    env: HOST_ENV,
    stdin: [name],
    onStdout: (chunk) => output.push(chunk),
    onStderr: () => undefined,
  }).finally(() => output.push(null))
  const content = await readSingleFile(output, limit, JSON.stringify(path)).finally(() => done)
  sandbox.assertAlive()
  // 1: the file changed while it was read. 2: it is not there.
  return (await done) < 2 ? content : undefined
}

function toolCommand(sandbox: LiveSandbox, tool: 'tar', flags: readonly string[]): string[] {
  return enterCommand(sandbox.entrance, ROOT_USER, [...sandbox.entrance.toolBox.command(tool), ...flags])
}
