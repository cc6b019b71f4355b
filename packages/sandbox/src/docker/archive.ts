import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { type FileEntry, pathToBytes, R2eError } from '@r2e/spec'
import { foldersOf, packTar, type TarEntry, tarEntries } from '../tar.ts'
import { readSingleFile } from '../untar.ts'
import type { Container } from './container.ts'
import { type Engine, reasonOf, statusOf } from './engine.ts'
import { readByCommand } from './read-by-command.ts'

const DEFAULT_READ_LIMIT = 64 * 2 ** 20

/** Puts files below `root`: folders that exist keep their owner and mode, a link that stands at a file's place goes. */
export async function writeFiles({ engine, id }: Container, root: string, files: readonly FileEntry[]): Promise<void> {
  if (!root.startsWith('/')) throw new R2eError('bad_path', 'bug', `not an absolute folder: ${root}`)
  const prefix = root.split('/').filter(Boolean).join('/')
  const within = (path: string): string => (prefix ? `${prefix}/${path}` : path)
  const whole = tarEntries(files.map((file) => ({ ...file, path: within(file.path) })))
  const rootEntries = [...foldersOf(within('x'))].map(folderEntry)
  const entries = await withoutExisting(engine, id, files.length > 0 ? whole : rootEntries)
  if (entries.length === 0) return
  // The present, not a fixed time: bytecode caches compare times, and a fixed one would serve stale code.
  const now = Math.trunc(Date.now() / 1000)
  await engine.call('write files', () =>
    request(engine, { method: 'PUT', path: `/containers/${id}/archive?path=/&`, body: packTar(entries, now) }),
  )
}

/** The bytes of a regular file, or undefined where there is none. */
export async function readFile(
  container: Container,
  path: string,
  limit: number = DEFAULT_READ_LIMIT,
): Promise<Uint8Array | undefined> {
  // The engine hands paths on as JSON, which loses bytes that are not UTF-8.
  if (!path.isWellFormed()) return await readByCommand(container, path, limit)
  const { engine, id } = container
  const stream = await engine.call(`read ${JSON.stringify(path)}`, () =>
    absentAsUndefined(request(engine, { method: 'GET', path: `/containers/${id}/archive?path=${escapePath(path)}&` })),
  )
  if (!stream) return undefined
  try {
    return await engine.call(`read ${JSON.stringify(path)}`, () => readSingleFile(stream, limit, JSON.stringify(path)))
  } finally {
    stream.destroy()
  }
}

/** Leaves out the folders that stand already: an archive's folder would take their mode and owner away. */
async function withoutExisting(engine: Engine, id: string, entries: readonly TarEntry[]): Promise<TarEntry[]> {
  const missing = new Set<string>()
  const kept: TarEntry[] = []
  for (const entry of entries) {
    if (entry.kind !== 'folder') {
      kept.push(entry)
      continue
    }
    const parents = foldersOf(entry.path)
    const parent = parents.at(-1)
    if ((parent !== undefined && missing.has(parent)) || !(await isFolderOrLink(engine, id, `/${entry.path}`))) {
      missing.add(entry.path)
      kept.push(entry)
    }
  }
  return kept
}

async function isFolderOrLink(engine: Engine, id: string, path: string): Promise<boolean> {
  const answer = await engine.call(`look at ${JSON.stringify(path)}`, () =>
    absentAsUndefined(request(engine, { method: 'HEAD', path: `/containers/${id}/archive?path=${escapePath(path)}&` })),
  )
  answer?.resume()
  const header = answer?.headers['x-docker-container-path-stat']
  if (typeof header !== 'string') return false
  const { mode } = JSON.parse(Buffer.from(header, 'base64').toString()) as { mode: number }
  // Bits of Go's FileMode: 31 is a folder, 27 a symbolic link.
  return (mode & (2 ** 31)) !== 0 || (mode & (2 ** 27)) !== 0
}

function folderEntry(path: string): TarEntry {
  return { path, kind: 'folder', mode: 0o755, content: new Uint8Array() }
}

/** 404 is an absent file, but also an absent container: that one stays an error. */
async function absentAsUndefined<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    const reason = reasonOf(error)
    if (statusOf(error) === 404 && !/no such container/i.test(reason)) return undefined
    if (/not a directory$/.test(reason)) return undefined
    throw error
  }
}

interface RawRequest {
  readonly method: 'GET' | 'PUT' | 'HEAD'
  /** Ends in `&`: the client library cuts the last character of a path with a query. */
  readonly path: string
  readonly body?: Iterable<Uint8Array>
}

/** The library's own archive calls take paths as text; these take any byte. */
async function request(engine: Engine, { method, path, body }: RawRequest): Promise<IncomingMessage> {
  const { modem } = await engine.client()
  return await new Promise((resolve, reject) => {
    const options = {
      path,
      method,
      isStream: method !== 'PUT',
      statusCodes: { 200: true },
      ...(body && { file: Readable.from(body) }),
    }
    modem.dial(options, (error: unknown, answer: unknown) =>
      error ? reject(error) : resolve(answer as IncomingMessage),
    )
  })
}

function escapePath(path: string): string {
  return [...pathToBytes(path)]
    .map((byte) =>
      /[A-Za-z0-9/._-]/.test(String.fromCharCode(byte))
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).padStart(2, '0')}`,
    )
    .join('')
}
