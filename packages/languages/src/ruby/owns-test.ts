import type { HiddenSource } from '@r2e/spec'

/** Ids of both runners begin with the file that runs the test. */
export function rubyOwnsTest(files: readonly HiddenSource[], id: string): boolean {
  const end = id.indexOf('::')
  const scope = end < 0 ? id : id.slice(0, end)
  return files.some(({ path }) => path === scope)
}
