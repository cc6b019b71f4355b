import type { HiddenSource } from '@r2e/spec'

/** Whether an id can come from one of these files, where ids begin with the file that runs the test. */
export function ownedByFile(files: readonly HiddenSource[], id: string): boolean {
  const end = id.indexOf('::')
  const scope = end < 0 ? id : id.slice(0, end)
  return files.some(({ path }) => path === scope)
}
