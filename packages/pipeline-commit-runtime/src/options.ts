import { countOption, dateOption, flagOption, limitOption, listOption } from '@r2e/kit'
import * as v from 'valibot'

/** Options of commit_runtime (contract §4.4). */
export const OptionsSchema = v.strictObject({
  limit: countOption('tasks to admit', 50, 1),
  max_candidates: limitOption('commits to examine; null = 20 times the limit', 1),
  since: dateOption('leave out commits before this date'),
  until: dateOption('leave out commits after this date'),
  branch: v.optional(
    v.pipe(
      v.string(),
      v.minLength(1),
      v.description('branch, tag or commit to walk; HEAD = the ref of the repository'),
    ),
    'HEAD',
  ),
  clone_depth: countOption('accepted for old configurations; the whole history is always read', 200),
  first_parent: flagOption('follow first parents only, a merge being one change', true),
  skip_merge_commits: v.optional(
    v.nullable(v.pipe(v.boolean(), v.description('leave merges out; null = only when first_parent is off'))),
    null,
  ),
  bugfix_only: flagOption('only commits that say they fix something', true),
  min_message_words: countOption('least words of a commit message', 5),
  min_problem_statement_words: countOption('least words of the text that is left after cleaning', 0),
  max_source_files_per_commit: countOption('most source files of a commit', 10, 1),
  exclude_authors: listOption('names or e-mail addresses of authors to leave out'),
  require_new_test_funcs: flagOption('a test case must be new or changed', true),
  skip_ci_only: flagOption('leave out commits that touch CI files only', true),
  require_fail_to_pass: flagOption('a test must go from failing to passing', true),
  min_fail_to_pass: countOption('least tests that go from failing to passing', 1),
  max_pass_to_pass: limitOption('most tests kept as guards; null = all'),
  f2p_from: v.optional(
    v.pipe(
      v.array(v.picklist(['fail', 'error', 'absent'])),
      v.minLength(1),
      v.description('states before the fix that count as failing'),
    ),
    ['fail', 'error', 'absent'],
  ),
  full_suite_limit_sec: countOption('run the whole suite where it takes no longer', 120),
  validation_timeout_sec: countOption('limit of one test run', 600, 1),
  skip_validation: flagOption('write tasks without running them; they are marked unverified', false),
  synthesize_with_llm: flagOption('let a model rewrite the text as the report of a user', false),
  llm_temperature: v.optional(
    v.pipe(v.number(), v.minValue(0), v.maxValue(2), v.description('temperature of the rewriting model')),
    0.3,
  ),
  max_llm_tokens: countOption('longest reply of the rewriting model', 1024, 1),
})

export type Options = v.InferOutput<typeof OptionsSchema>
