import type { LanguagePack, Recipe } from '@r2e/spec'

/** How the whole suite is run, as lines for a shell: what stands for the grader's own folders is left out. */
export function testCommands(packs: readonly LanguagePack[], recipe: Recipe): readonly string[] {
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

/** A word that names a place of the grader, and the option before it whose value it is. */
function withoutPlaceholders(argv: readonly string[]): readonly string[] {
  const isPlace = (word: string | undefined) => word !== undefined && /\{(?:report|tests|files)\}/.test(word)
  return argv.filter(
    (word, at) =>
      !isPlace(word) && !(/^--?[\w-]+$/.test(word) && isPlace(argv[at + 1]) && !argv[at + 1]!.startsWith('-')),
  )
}

function quoted(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
