import type { LanguagePack, Recipe } from '@r2e/spec'

/** How the whole suite is run, as lines for a shell: what stands for the grader's own folders is left out. */
export function testCommands(packs: readonly LanguagePack[], recipe: Recipe): readonly string[] {
  if (recipe.testCommand) return [recipe.testCommand.map(quoted).join(' ')]
  const runner = runnerIn(packs, recipe)
  return (runner?.suite(recipe) ?? []).map(({ argv }) => withoutPlaceholders(argv).map(quoted).join(' '))
}

/** Variables of the test command: the runner's, then the recipe's. */
export function testEnvironment(packs: readonly LanguagePack[], recipe: Recipe): Readonly<Record<string, string>> {
  return { ...runnerIn(packs, recipe)?.env, ...recipe.testEnv }
}

function runnerIn(packs: readonly LanguagePack[], recipe: Recipe) {
  const pack = packs.find(({ name }) => name === recipe.language)
  return pack?.runners.find(({ name }) => name === recipe.runner)
}

/** Reporters that start the project's own runner: what stands before them starts the reporter alone. */
const WRAPPERS = /^\{tests\}\/reporters\/(?:cargo_tests\.py|phpunit_files\.php)$/
const UNITTEST = '{tests}/reporters/unittest_events.py'

/** Without words that name a place of the grader, and without the option before one whose value it is. */
function withoutPlaceholders(argv: readonly string[]): readonly string[] {
  const own = argv.slice(argv.findIndex((word) => WRAPPERS.test(word)) + 1)
  const isPlace = (word = '') => word !== UNITTEST && /\{(?:report|tests|files)\}/.test(word)
  const takesPlace = (word: string, next = '') => /^--?[\w-]+$/.test(word) && isPlace(next) && !next.startsWith('-')
  const kept = own.filter((word, at) => !isPlace(word) && !takesPlace(word, own[at + 1]))
  return kept.flatMap((word) => (word === UNITTEST ? ['-m', 'unittest'] : [word]))
}

function quoted(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
