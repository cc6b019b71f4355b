import { createHash } from 'node:crypto'
import { type FileEntry, type ObjectId, pathToBytes } from '@r2e/spec'

interface Folder {
  readonly files: Map<string, { readonly mode: string; readonly id: Buffer }>
  readonly folders: Map<string, Folder>
}

/** Git's SHA-1 id of the tree that holds these files. */
export function gitTreeId(files: readonly FileEntry[]): ObjectId {
  const root = emptyFolder()
  for (const file of files) {
    const parts = file.path.split('/')
    const name = parts.pop()!
    const folder = parts.reduce(child, root)
    folder.files.set(name, { mode: file.mode, id: objectId('blob', file.content) })
  }
  return folderId(root).toString('hex')
}

function emptyFolder(): Folder {
  return { files: new Map(), folders: new Map() }
}

function child(folder: Folder, name: string): Folder {
  const known = folder.folders.get(name)
  if (known) return known
  const made = emptyFolder()
  folder.folders.set(name, made)
  return made
}

function folderId(folder: Folder): Buffer {
  const rows = [...folder.files].map(([name, file]) => row(name, file.mode, file.id))
  for (const [name, inner] of folder.folders) rows.push(row(name, '40000', folderId(inner)))
  rows.sort((a, b) => Buffer.compare(a.key, b.key))
  return objectId('tree', Buffer.concat(rows.map((entry) => entry.bytes)))
}

/** Git sorts a folder as if its name ended in a slash. */
function row(name: string, mode: string, id: Buffer): { key: Buffer; bytes: Buffer } {
  const bytes = pathToBytes(name)
  const key = mode === '40000' ? Buffer.concat([bytes, Buffer.from('/')]) : Buffer.from(bytes)
  return { key, bytes: Buffer.concat([Buffer.from(`${mode} `), bytes, Buffer.alloc(1), id]) }
}

function objectId(kind: 'blob' | 'tree', content: Uint8Array): Buffer {
  return createHash('sha1').update(`${kind} ${content.length}\0`).update(content).digest()
}
