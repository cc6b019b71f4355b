import { encodeUtf8, pathToBytes } from '@r2e/spec'
import type { FileContent } from './repository-step.ts'

/** A file as the stream names it: its mode and its bytes, or the commit of a submodule link. */
export type StoredFile = { readonly mode: string; readonly content: Uint8Array } | { readonly submodule: string }

export interface ImportCommit {
  readonly mark: number
  readonly parents: readonly number[]
  readonly message: Uint8Array
  readonly author: { readonly name: string; readonly email: string }
  readonly unixTime: number
  /** undefined deletes the path. */
  readonly changes: ReadonlyMap<string, StoredFile | undefined>
}

/** One commit in the format of `git fast-import`, on a ref that the caller drops afterwards. */
export function renderCommit(commit: ImportCommit, ref: string): Uint8Array {
  const who = `${commit.author.name} <${commit.author.email}> ${commit.unixTime} +0000`
  // A commit without parents starts afresh only when the ref is reset first.
  const parts: (string | Uint8Array)[] = [`reset ${ref}\n\ncommit ${ref}\nmark :${commit.mark}\n`]
  parts.push(`author ${who}\ncommitter ${who}\n`, ...data(commit.message))
  for (const [index, parent] of commit.parents.entries()) parts.push(`${index === 0 ? 'from' : 'merge'} :${parent}\n`)
  for (const [path, file] of commit.changes) if (file === undefined) parts.push(`D ${quotePath(path)}\n`)
  for (const [path, file] of commit.changes) if (file !== undefined) parts.push(...renderFile(path, file))
  parts.push('\n')
  return concat(parts)
}

export function storeFile(file: FileContent): StoredFile {
  if (typeof file === 'string' || file instanceof Uint8Array) return { mode: '100644', content: toBytes(file) }
  if ('link' in file) return { mode: '120000', content: pathToBytes(file.link) }
  if ('submodule' in file) return file
  return { mode: file.mode, content: toBytes(file.content) }
}

export function toBytes(text: string | Uint8Array): Uint8Array {
  return typeof text === 'string' ? encodeUtf8(text) : text
}

function renderFile(path: string, file: StoredFile): (string | Uint8Array)[] {
  if ('submodule' in file) return [`M 160000 ${file.submodule} ${quotePath(path)}\n`]
  return [`M ${file.mode} inline ${quotePath(path)}\n`, ...data(file.content)]
}

function data(bytes: Uint8Array): (string | Uint8Array)[] {
  return [`data ${bytes.length}\n`, bytes, '\n']
}

function quotePath(path: string): string {
  let quoted = ''
  for (const byte of pathToBytes(path)) {
    const plain = byte > 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c
    quoted += plain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`
  }
  return `"${quoted}"`
}

function concat(parts: readonly (string | Uint8Array)[]): Uint8Array {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? encodeUtf8(part) : part)))
}
