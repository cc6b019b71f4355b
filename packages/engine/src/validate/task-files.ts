import { type FileEntry, tryDecodeUtf8 } from '@r2e/spec'

/** A task directory in memory. */
export interface TaskFiles {
  readonly files: readonly FileEntry[]
  get(path: string): FileEntry | undefined
  /** The text of a regular file, or undefined where it is absent, a link, or not UTF-8. */
  text(path: string): string | undefined
  below(folder: string): readonly FileEntry[]
}

export function taskFiles(files: readonly FileEntry[]): TaskFiles {
  const byPath = new Map(files.map((file) => [file.path, file]))
  return {
    files,
    get: (path) => byPath.get(path),
    text(path) {
      const file = byPath.get(path)
      return file && file.mode !== '120000' ? tryDecodeUtf8(file.content) : undefined
    },
    below: (folder) => files.filter((file) => file.path.startsWith(`${folder}/`)),
  }
}
