/** How the work is judged: the same words for every task whose tests are run. */
export const JUDGED_BY_TESTS =
  'Make the change in the source code of this repository. Your work is judged by tests that you cannot see; they cover ' +
  'the behaviour described above and the behaviour that works today. Changes to test files and to the configuration of ' +
  'the test runner are not taken into account.'

/** Joins the parts of an instruction: title, description, notes. Empty parts are left out; ends with one newline. */
export function joinText(...parts: readonly string[]): string {
  const kept = parts.map((part) => part.trim()).filter((part) => part !== '')
  return `${kept.join('\n\n')}\n`
}
