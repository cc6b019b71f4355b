import { definePipeline } from '@r2e/kit'
import { CandidateSchema } from './candidate.ts'
import { discover } from './discover.ts'
import { draft } from './draft.ts'
import { OptionsSchema } from './options.ts'

export type { CommitCandidate } from './candidate.ts'
export type { Options as CommitRuntimeOptions } from './options.ts'

/** Commits whose own tests go from failing to passing. */
export const commitRuntime = definePipeline({
  contract: 'r2e.pipeline/1',
  name: 'commit_runtime',
  version: '1',
  summary: 'commits whose tests go from failing to passing',
  reward: 'test_execution',
  needs: { source: ['commits'], environment: 'before-verify', model: false, languages: 'any' },
  usesModel: ({ synthesize_with_llm }) => synthesize_with_llm,
  options: OptionsSchema,
  candidate: CandidateSchema,
  skipReasons: {
    root_commit: 'the commit has no parent to compare with',
    merge_commit: 'a merge, where merges are left out',
    excluded_author: 'the author is in exclude_authors',
    bot_author: 'a program wrote or opened the change',
    short_message: 'the message has fewer words than min_message_words',
    non_bugfix_type: 'its type or title says that it is no fix (bugfix_only)',
    no_bugfix_signal: 'the message names nothing that was wrong (bugfix_only)',
    empty_diff: 'no file differs from the first parent',
    unsupported_change: 'the change sets, moves or removes a submodule, or brings tests that no grader could hide',
    diff_too_large: 'the diff is larger than the source reads',
    diff_fetch_failed: 'an object of the diff is missing or damaged',
    ci_only_patch: 'only CI files change (skip_ci_only)',
    empty_source_patch: 'no source file changes',
    no_test_patch: 'no test file changes',
    too_many_source_files: 'more source files than max_source_files_per_commit',
    no_new_test_funcs: 'no test case is new or changed (require_new_test_funcs)',
    problem_statement_too_short: 'fewer words left than min_problem_statement_words',
    leak_in_text: 'the text gives the answer away and cannot be cut',
    hidden_api: 'the tests use too many names that exist nowhere',
  },
  discover,
  draft,
})

export default commitRuntime
