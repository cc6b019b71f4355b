import { inlineLanguage, separateRenames, splitChanges, touchesSubmodule } from '@r2e/kit'
import { decodeUtf8, type FileChange, type FileRole, type LanguagePack } from '@r2e/spec'
import type { Reason } from './metadata-skip.ts'
import type { Options } from './options.ts'

export interface ChangeInput {
  readonly changes: readonly FileChange[]
  role(path: string): FileRole
  readonly options: Options
  /** Languages whose source files may hold tests: whether they do is not known yet. */
  readonly languages: readonly LanguagePack[]
}

/** Why a commit is left out by which files it touches. */
export function skipByChanges({ changes, role, options, languages }: ChangeInput): Reason | undefined {
  if (changes.length === 0) return { reason: 'empty_diff', detail: 'no file differs from the first parent' }
  const link = changes.find(touchesSubmodule)
  if (link) return { reason: 'unsupported_change', detail: `${link.path} is a submodule` }
  const withheld = changes.find((change) => change.withheld !== undefined)?.withheld
  if (withheld) return { reason: withheld, detail: `the patches of ${changes.length} files cannot be had` }
  const split = splitChanges(separateRenames(changes, role), role)
  if (options.skip_ci_only && split.ci.length > 0 && changes.every((change) => role(change.path) === 'ci'))
    return { reason: 'ci_only_patch', detail: `${split.ci.length} CI files and nothing else` }
  const mayHoldTests = split.source.some((change) => mayChangeTests(change, languages))
  return skipByRoles(split.source.length, split.test.length + (mayHoldTests ? 1 : 0), options)
}

/** Whether a change to a source file may change tests in it: its lines or the heads of its hunks then speak of tests. */
function mayChangeTests({ path, patch }: FileChange, languages: readonly LanguagePack[]): boolean {
  return inlineLanguage(path, languages) !== undefined && /test/i.test(decodeUtf8(patch))
}

/** The same by how many files of each role are left once test code inside source files is told apart. */
export function skipByRoles(sources: number, tests: number, options: Options): Reason | undefined {
  if (sources === 0) return { reason: 'empty_source_patch', detail: 'no source file changes' }
  if (tests === 0) return { reason: 'no_test_patch', detail: 'no test file changes' }
  const most = options.max_source_files_per_commit
  if (sources > most) return { reason: 'too_many_source_files', detail: `${sources} source files, limit ${most}` }
  return undefined
}
