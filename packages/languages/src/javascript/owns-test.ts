import type { HiddenSource } from '@r2e/spec'
import { fileOf } from './selector.ts'

/** Whether an id can come from one of these files: ids name their file. */
export function javascriptOwnsTest(files: readonly HiddenSource[], id: string): boolean {
  const file = fileOf(id)
  return files.some(({ path }) => path === file)
}
