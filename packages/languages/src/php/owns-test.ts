import type { HiddenSource } from '@r2e/spec'

/** An id begins with the file of the class that runs. */
export function phpOwnsTest(files: readonly HiddenSource[], id: string): boolean {
  const end = id.indexOf('::')
  const scope = end < 0 ? id : id.slice(0, end)
  return files.some(({ path }) => path === scope)
}
