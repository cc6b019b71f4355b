import { userError } from '@r2e/spec'
import { readGit } from './git-process.ts'

/** `--diff-merges=first-parent` and configuration by environment variables came with it. */
const OLDEST = 2031

/** The version of git, 2.39 being 2039. @throws R2eError `git_not_found`, `git_too_old` */
export async function readGitVersion(program: string, environment: Readonly<Record<string, string>>): Promise<number> {
  const text = (await readGit({ program, version: 0, directory: '/', environment }, ['version'])).toString().trim()
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(text) ?? []
  const version = Number(major) * 1000 + Number(minor)
  if (version < OLDEST) throw userError('git_too_old', `git is too old: ${text}`, { fix: 'Install git 2.31 or later.' })
  return version
}
