import type { ChildProcess } from 'node:child_process'
import { R2eError } from '@r2e/spec'
import { type Git, startGit } from './git-process.ts'

export interface StoredObject {
  readonly id: string
  readonly type: string
  readonly content: Buffer
}

/** Reads objects through one `git cat-file --batch`, started on first use and again when it dies. */
export interface ObjectReader extends AsyncDisposable {
  /**
   * `name` is an id, or `id:path`; it holds no newline. Answers undefined where there is no such object.
   * @throws R2eError `file_too_large`, `git_failed`
   */
  read(name: string | Uint8Array): Promise<StoredObject | undefined>
}

interface Pending {
  readonly name: string | Uint8Array
  readonly resolve: (object: StoredObject | undefined) => void
  readonly reject: (error: unknown) => void
  attempts: number
}

/** Objects above it are refused: they would not fit into memory together with everything else. */
const SIZE_LIMIT = 512 * 1024 * 1024
const MAX_ATTEMPTS = 2
const HEADER = /^([0-9a-f]+) (\w+) (\d+)$/

export function createObjectReader(git: Git, sizeLimit: number = SIZE_LIMIT): ObjectReader {
  const pending: Pending[] = []
  let child: ChildProcess | undefined
  let disposed = false

  function start(): void {
    const started = startGit(git, ['cat-file', '--batch'])
    child = started
    const receive = createReceiver((reply) => {
      const request = pending.shift()
      if (reply !== undefined && 'tooLarge' in reply) {
        request?.reject(tooLarge(reply.tooLarge))
        if (request !== undefined) started.kill()
        return false
      }
      request?.resolve(reply)
      return true
    }, sizeLimit)
    started.stdout!.on('data', (chunk: Buffer) => started === child && !started.killed && receive(chunk))
    started.stderr!.resume()
    started.stdin!.on('error', () => {})
    started.on('error', () => end(started))
    started.on('close', () => end(started))
    for (const request of pending) send(started, request.name)
  }

  function end(ended: ChildProcess): void {
    if (ended !== child) return
    child = undefined
    const first = pending[0]
    if (first !== undefined && !ended.killed && ++first.attempts >= MAX_ATTEMPTS) pending.shift()?.reject(died())
    if (disposed) for (const request of pending.splice(0)) request.reject(died())
    if (pending.length > 0) start()
  }

  return {
    read(name) {
      if (disposed) return Promise.reject(died())
      return new Promise((resolve, reject) => {
        pending.push({ name, resolve, reject, attempts: 0 })
        if (child === undefined) start()
        else send(child, name)
      })
    },
    async [Symbol.asyncDispose]() {
      disposed = true
      const last = child
      if (last === undefined) return
      const closed = new Promise((resolve) => last.once('close', resolve))
      last.kill()
      await closed
    },
  }
}

function send(child: ChildProcess, name: string | Uint8Array): void {
  child.stdin!.write(name)
  child.stdin!.write('\n')
}

type Reply = StoredObject | { readonly tooLarge: string } | undefined

/** Puts replies together from chunks; `deliver` answers false to stop reading. */
function createReceiver(deliver: (reply: Reply) => boolean, sizeLimit: number): (chunk: Buffer) => void {
  let header = ''
  let body: { readonly id: string; readonly type: string; readonly bytes: Buffer; filled: number } | undefined
  return (chunk) => {
    for (let at = 0; at < chunk.length; ) {
      if (body === undefined) {
        const end = chunk.indexOf(0x0a, at)
        header += chunk.toString('latin1', at, end === -1 ? chunk.length : end)
        if (end === -1) return
        at = end + 1
        const [, id = '', type = '', size = ''] = HEADER.exec(header) ?? []
        header = ''
        if (id === '') deliver(undefined)
        else if (Number(size) > sizeLimit) {
          if (!deliver({ tooLarge: `${id}, ${size} bytes` })) return
        } else body = { id, type, bytes: Buffer.allocUnsafe(Number(size) + 1), filled: 0 }
      } else {
        const copied = chunk.copy(body.bytes, body.filled, at)
        body.filled += copied
        at += copied
        if (body.filled < body.bytes.length) continue
        const { id, type, bytes } = body
        body = undefined
        deliver({ id, type, content: bytes.subarray(0, -1) })
      }
    }
  }
}

function tooLarge(what: string): R2eError {
  return new R2eError('file_too_large', 'bug', `an object of the repository is too large to read: ${what}`)
}

function died(): R2eError {
  return new R2eError('git_failed', 'bug', 'git cat-file ended before it answered', {
    fix: 'Check the repository with `git fsck`.',
  })
}
