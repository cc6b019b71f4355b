import { type SplitChanges, touchesSubmodule } from '@r2e/kit'
import type { FileChange } from '@r2e/spec'
import type { Options } from './options.ts'
import type { Reason } from './reason.ts'

/** Why a request is left out by which files it touches. */
export function skipByChanges(
  changes: readonly FileChange[],
  split: SplitChanges,
  options: Options,
): Reason | undefined {
  if (changes.length === 0) return { reason: 'no_files', detail: 'no file differs from the base' }
  const link = changes.find(touchesSubmodule)
  if (link) return { reason: 'unsupported_change', detail: `${link.path} is a submodule` }
  const withheld = changes.find((change) => change.withheld !== undefined)?.withheld
  if (withheld) return { reason: withheld, detail: `the patches of ${changes.length} files cannot be had` }
  const most = options.max_files_per_pr
  if (changes.length > most) return { reason: 'too_many_files', detail: `${changes.length} files, limit ${most}` }
  if (split.source.length > 0) return undefined
  const only = (role: keyof SplitChanges) => split[role].length > 0 && split[role].length >= changes.length
  if (only('test')) return { reason: 'test_only_diff', detail: `${split.test.length} test files and nothing else` }
  if (only('docs')) return { reason: 'docs_only_diff', detail: `${split.docs.length} documents and nothing else` }
  if (only('ci')) return { reason: 'ci_only_patch', detail: `${split.ci.length} CI files and nothing else` }
  return { reason: 'empty_source_patch', detail: 'no source file changes' }
}
