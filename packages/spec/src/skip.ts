import type { JsonObject } from './json.ts'

/** Reason codes of contract §3 and §4; plug-ins may add their own snake_case words. */
export const SKIP_REASONS = [
  'draft',
  'not_merged',
  'no_files',
  'diff_fetch_failed',
  'empty_diff',
  'empty_source_patch',
  'no_test_patch',
  'ci_only_patch',
  'too_many_source_files',
  'no_new_test_funcs',
  'problem_statement_too_short',
  'non_bug_pr',
  'bot_author',
  'patch_does_not_apply',
  'environment_failed',
  'runner_unknown',
  'no_tests_seen',
  'no_fail_to_pass',
  'gold_regresses',
  'flaky',
  'gold_not_one',
  'noop_scores',
  'wrong_patch_scores',
  'leak_in_text',
  'leak_in_image',
  'hidden_api',
  'duplicate',
  'licence_unknown',
  'verifier_timeout',
  'budget',
  'too_many_files',
  'test_only_diff',
  'docs_only_diff',
  'revert_pr',
  'diff_too_small',
  'instruction_too_thin',
  'merge_commit',
  'excluded_author',
  'short_message',
  'non_bugfix_type',
  'no_bugfix_signal',
  'root_commit',
  'unsupported_change',
  'diff_too_large',
  'out_of_memory',
  'task_invalid',
  'branch_sync',
] as const

export type SkipReason = (typeof SKIP_REASONS)[number] | (string & {})

/** A candidate that was left out, and why: data, never an exception. */
export interface Skip {
  readonly kind: 'skip'
  /** Id of the candidate it ends. */
  readonly id: string
  readonly title?: string | undefined
  readonly reason: SkipReason
  /** One line with the measured fact: `12 source files, limit 10`. */
  readonly detail: string
  readonly evidence?: JsonObject | undefined
}

export function skip(id: string, reason: SkipReason, detail: string, evidence?: JsonObject): Skip {
  return { kind: 'skip', id, reason, detail, ...(evidence && { evidence }) }
}
