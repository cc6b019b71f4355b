import type { FailedRecipe } from '@r2e/spec'

/** What a log says that a command of the user's could help with. */
const MISSING_SOFTWARE =
  /fatal error: \S+\.h: No such file|command not found|: not found|pg_config|pkg-config|Could not find .*(?:library|package)|cannot find -l|Unable to locate package|No such file or directory: '(?:gcc|cc|make|git)'/i
const WRONG_VERSION =
  /requires? (?:a different )?(?:python|node|go|rust|java|jdk)|requires-python|Unsupported engine|invalid go version|go\.mod requires go|Unsupported class file|rustc \S+ is not supported|No matching distribution|not supported by this version/i

const baseImage = '--base-image IMAGE: one that is here, with the versions that the project wants'
const setup = "--setup 'apt-get update -qq && apt-get install -y -qq PACKAGE': what its dependencies need of the system"
const language = '--language NAME: the language of its tests'
const testCommand = '--test-cmd COMMAND: how its tests are run'

/** The three best things to try, the most promising first. */
export function failureHints(failed: readonly FailedRecipe[]): readonly string[] {
  const reasons = failed.map(({ failure }) => failure)
  const said = reasons.map(({ detail, log }) => `${detail}\n${log}`).join('\n')
  if (failed.length === 0) return [language, testCommand, baseImage]
  if (reasons.every(({ step = '' }) => /^from\s/i.test(step))) return [baseImage, language, setup]
  if (reasons.some(({ reason }) => reason === 'verifier_timeout'))
    return ['--test-cmd COMMAND: a part of the suite', '--sandbox-opt timeout_sec=SECONDS: a longer limit', baseImage]
  if (reasons.some(({ reason }) => reason === 'out_of_memory'))
    return ['--sandbox-opt memory_mb=MEGABYTES: more memory', '--test-cmd COMMAND: a part of the suite', baseImage]
  if (reasons.some(({ reason }) => reason === 'no_tests_seen')) return [testCommand, setup, baseImage]
  if (WRONG_VERSION.test(said)) return [baseImage, setup, language]
  if (MISSING_SOFTWARE.test(said)) return [setup, baseImage, language]
  return [baseImage, setup, language]
}
