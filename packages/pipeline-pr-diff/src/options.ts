import { countOption, dateOption, flagOption, limitOption } from '@r2e/kit'
import * as v from 'valibot'

/** Options of pr_diff (contract §4.1). */
export const OptionsSchema = v.strictObject({
  limit: countOption('tasks to admit', 50, 1),
  max_candidates: limitOption('requests to examine; null = 20 times the limit', 1),
  since: dateOption('leave out requests merged before this date'),
  until: dateOption('leave out requests merged after this date'),
  state: v.optional(
    v.pipe(v.literal('merged', 'only merged requests have an answer'), v.description('state of the requests')),
    'merged',
  ),
  context_window_loc: countOption('accepted for old configurations; has no effect', 200),
  diff_format: v.optional(
    v.pipe(v.picklist(['unified', 'search_replace']), v.description('form of the answer that is asked for')),
    'unified',
  ),
  max_files_per_pr: countOption('most files of a request', 5, 1),
  skip_drafts: flagOption('leave drafts out', true),
  emit_harbor_env: flagOption('ship a work tree to edit; off: a task of text alone', true),
  min_loc_changed: countOption('least lines that the answer adds or removes', 3),
  oracle_scope: v.optional(
    v.pipe(v.picklist(['source', 'full']), v.description('what the answer holds: source files, or every file')),
    'source',
  ),
  reward_metric: v.optional(
    v.pipe(v.picklist(['ratio_v07', 'changed_lines', 'applied_changes']), v.description('how two diffs are compared')),
    'ratio_v07',
  ),
})

export type Options = v.InferOutput<typeof OptionsSchema>
