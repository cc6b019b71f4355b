import { execFile } from 'node:child_process'
import type { RunConfig } from '@r2e/spec'
import type { Context } from '../context.ts'

/** The token for GitHub alone: of the variable that `auth` names, else of the program gh where it is allowed and there. */
export function githubToken(auth: RunConfig['auth'], environment: Context['environment']) {
  return async (host: string): Promise<string | undefined> => {
    if (host !== 'github.com') return undefined
    return environment[auth.github_token_env] || (auth.use_gh_cli ? await askGh(environment) : undefined)
  }
}

function askGh(environment: Context['environment']): Promise<string | undefined> {
  const options = { env: { ...environment }, timeout: 5000 }
  return new Promise((answer) => {
    execFile('gh', ['auth', 'token', '--hostname', 'github.com'], options, (error, stdout) =>
      answer(error ? undefined : stdout.trim() || undefined),
    )
  })
}
