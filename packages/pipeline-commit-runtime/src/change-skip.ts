import { separateRenames, splitChanges, touchesSubmodule } from '@r2e/kit'
import type { FileChange, FileRole } from '@r2e/spec'
import type { Reason } from './metadata-skip.ts'
import type { Options } from './options.ts'

/** Why a commit is left out by which files it touches. */
export function skipByChanges(
  changes: readonly FileChange[],
  role: (path: string) => FileRole,
  options: Options,
): Reason | undefined {
  if (changes.length === 0) return { reason: 'empty_diff', detail: 'no file differs from the first parent' }
  const link = changes.find(touchesSubmodule)
  if (link) return { reason: 'unsupported_change', detail: `${link.path} is a submodule` }
  const withheld = changes.find((change) => change.withheld !== undefined)?.withheld
  if (withheld) return { reason: withheld, detail: `the patches of ${changes.length} files cannot be had` }
  const split = splitChanges(separateRenames(changes, role), role)
  if (options.skip_ci_only && split.ci.length > 0 && changes.every((change) => role(change.path) === 'ci'))
    return { reason: 'ci_only_patch', detail: `${split.ci.length} CI files and nothing else` }
  if (split.source.length === 0) return { reason: 'empty_source_patch', detail: 'no source file changes' }
  if (split.test.length === 0) return { reason: 'no_test_patch', detail: 'no test file changes' }
  const most = options.max_source_files_per_commit
  if (split.source.length > most)
    return { reason: 'too_many_source_files', detail: `${split.source.length} source files, limit ${most}` }
  return undefined
}
