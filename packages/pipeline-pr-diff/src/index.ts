import { definePipeline } from '@r2e/kit'
import { CandidateSchema } from './candidate.ts'
import { discover } from './discover.ts'
import { draft } from './draft.ts'
import { OptionsSchema } from './options.ts'

export type { RequestCandidate } from './candidate.ts'
export type { Options as PrDiffOptions } from './options.ts'

/** Merged pull requests, rewarded by how close a diff comes to the merged one. */
export const prDiff = definePipeline({
  contract: 'r2e.pipeline/1',
  name: 'pr_diff',
  version: '1',
  summary: 'merged pull requests, rewarded by similarity of diffs',
  reward: 'diff_similarity',
  needs: { source: ['pullRequests'], environment: 'none', model: false, languages: 'any' },
  options: OptionsSchema,
  candidate: CandidateSchema,
  skipReasons: {
    draft: 'the request is a draft (skip_drafts)',
    bot_author: 'a program opened the request',
    revert_pr: 'the request takes an earlier change back',
    branch_sync: 'the request brings one long-lived branch into another',
    non_bug_pr: 'a release, version bump or backport by its title',
    no_files: 'no file differs from the base',
    unsupported_change: 'the change sets, moves or removes a submodule',
    diff_too_large: 'the diff is larger than the source reads',
    diff_fetch_failed: 'an object of the diff is missing or damaged',
    too_many_files: 'more files than max_files_per_pr',
    test_only_diff: 'only test files change',
    docs_only_diff: 'only documents change',
    ci_only_patch: 'only CI files change',
    empty_source_patch: 'no source file changes',
    diff_too_small: 'fewer lines than min_loc_changed',
    instruction_too_thin: 'the text says too little to work by',
    leak_in_text: 'the text gives the answer away and cannot be cut',
  },
  discover,
  draft,
})

export default prDiff
