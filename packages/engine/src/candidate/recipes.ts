import type { Candidate, Recipe } from '@r2e/spec'
import type { CandidateContext } from './context.ts'

/** The recipes that the manifests of the candidate's base suggest, in order of promise. */
export async function recipesFor(context: CandidateContext, candidate: Candidate): Promise<readonly Recipe[]> {
  const { config, ports, repository, options } = context
  const { bootstrap } = config
  return ports.builder.recipes({
    tree: await repository.tree(candidate.base),
    repository,
    options: {
      language: bootstrap.languages_hint[0],
      baseImage: bootstrap.base_image ?? undefined,
      setup: bootstrap.setup,
      testCommand: bootstrap.test_cmd === null ? undefined : commandWords(bootstrap.test_cmd),
    },
    signal: options.signal,
  })
}

/** The user's own command as an argument list to which arguments can be appended. */
function commandWords(command: string): readonly string[] {
  if (/^[\w@%+=:,./\s-]+$/.test(command)) return command.trim().split(/\s+/)
  return ['bash', '-c', `${command} "$@"`, 'bash']
}
