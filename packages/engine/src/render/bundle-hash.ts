import { type Digest, digestOf, type FileEntry, pathToBytes, sha256Hex } from '@r2e/spec'
import { sortByPath } from './path-order.ts'

/** SHA-256 over mode, content digest and path of every file of a task, sorted by path: nothing is left out. */
export function bundleHash(files: readonly FileEntry[]): Digest {
  const lines = sortByPath(files).map((file) =>
    Buffer.concat([Buffer.from(`${file.mode} ${sha256Hex(file.content)} `), pathToBytes(file.path), Buffer.from('\n')]),
  )
  return digestOf(Buffer.concat(lines))
}
