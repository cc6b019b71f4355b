import { decodeUtf8, userError } from '@r2e/spec'
import { type Git, readGit, runGit } from './git-process.ts'
import { nearNames } from './near-names.ts'

/** The commit that a branch, tag or id names. @throws R2eError `ref_not_found`, `empty_repository` */
export async function resolveRef(git: Git, ref: string, where: string): Promise<string> {
  // A ref cannot begin with a dash, and git would take it for an option.
  if (ref !== '' && !ref.startsWith('-') && !ref.includes('\0')) {
    const found = await runGit(git, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`])
    if (found.code === 0) return found.stdout.toString().trim()
  }
  const listed = await readGit(git, [
    'for-each-ref',
    '--format=%(refname:lstrip=2)',
    'refs/heads',
    'refs/tags',
    'refs/remotes',
  ])
  const names = decodeUtf8(listed)
    .split('\n')
    .filter((name) => name !== '')
  if (names.length === 0)
    throw userError('empty_repository', `${where} has no commits`, {
      fix: 'Commit something first, or give another repository.',
    })
  const near = nearNames(ref, names)
  throw userError('ref_not_found', `${where} has no branch, tag or commit ${JSON.stringify(ref)}`, {
    fix: near.length === 0 ? `Give one such as ${names.slice(0, 3).join(', ')}.` : `Did you mean ${near.join(' or ')}?`,
    details: { ref, near },
  })
}
