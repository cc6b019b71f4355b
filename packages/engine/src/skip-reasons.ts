/** Reasons the engine gives itself, whatever pipeline drafted the task, with what they mean. */
export const ENGINE_SKIP_REASONS = {
  patch_does_not_apply: 'the solution does not apply to the snapshot, or solve.sh fails in the sandbox',
  environment_failed: 'no recipe of the base builds; the detail names the step and the last line of its output',
  no_tests_seen:
    'a run left no report, an unreadable one or one without tests, the runner crashed, or no test of the base passes',
  verifier_timeout: 'tests or solve.sh ran longer than their limit; never evidence for or against a test',
  out_of_memory: 'the sandbox ran out of memory; never evidence either',
  no_fail_to_pass: 'too few tests fail without the solution and pass with it',
  gold_regresses: 'a test outside the hidden files passes without the solution and fails with it, in every repeat',
  flaky: 'the fail-to-pass tests, or the lists, still moved between repeats',
  gold_not_one: 'the oracle scores less than 1 on the final task',
  noop_scores: 'doing nothing scores more than 0 where there are fail-to-pass tests, or 1',
  leak_in_text: 'the instruction quotes the solution or names a hidden test',
  task_invalid: 'the rendered task fails the checks of validate --deep; the detail names the finding',
  duplicate: 'the same change as an earlier candidate of this run',
} as const satisfies Readonly<Record<string, string>>
