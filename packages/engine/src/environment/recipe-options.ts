import type { RecipeOptions, RunConfig } from '@r2e/spec'

/** What the section `bootstrap` of a configuration asks of a recipe. */
export function recipeOptions(bootstrap: RunConfig['bootstrap']): RecipeOptions {
  return {
    language: bootstrap.languages_hint[0],
    baseImage: bootstrap.base_image ?? undefined,
    setup: bootstrap.setup,
    testCommand: bootstrap.test_cmd === null ? undefined : commandWords(bootstrap.test_cmd),
  }
}

/** The user's own command as an argument list to which arguments can be appended. */
function commandWords(command: string): readonly string[] {
  if (/^[\w@%+=:,./\s-]+$/.test(command)) return command.trim().split(/\s+/)
  return ['bash', '-c', `${command} "$@"`, 'bash']
}
