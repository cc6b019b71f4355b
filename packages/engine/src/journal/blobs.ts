import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDurably } from './write-durably.ts'

/** Content-addressed files: two writers of the same bytes write the same file, so retries need no locks. */
export interface BlobStore {
  /** Stores and syncs; answers the SHA-256 in hexadecimal. */
  put(content: Uint8Array): Promise<string>
  /** @throws if the blob is absent or its bytes do not match its name */
  get(digest: string): Promise<Uint8Array>
}

export function openBlobs(directory: string): BlobStore {
  const known = new Set<string>()
  const place = (digest: string) => join(directory, digest.slice(0, 2), digest)
  return {
    async put(content) {
      const digest = hashOf(content)
      if (known.has(digest)) return digest
      if (!(await isWhole(place(digest), digest))) await writeDurably(place(digest), content)
      known.add(digest)
      return digest
    },
    async get(digest) {
      const content = await readFile(place(digest))
      if (hashOf(content) !== digest) throw new Error(`blob ${digest} is damaged`)
      return content
    },
  }
}

const hashOf = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')

async function isWhole(path: string, digest: string): Promise<boolean> {
  const content = await readFile(path).catch(() => undefined)
  return content !== undefined && hashOf(content) === digest
}
