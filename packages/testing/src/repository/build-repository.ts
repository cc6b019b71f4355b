import { mkdir } from 'node:fs/promises'
import type { ObjectId } from '@r2e/spec'
import { IMPORT_REF, type PlannedRef, planHistory } from './history.ts'
import type { RepositoryStep } from './repository-step.ts'
import { runGit, runGitBytes } from './run-git.ts'

export interface BuildRepositoryOptions {
  readonly bare?: boolean
  /** Default `sha1`. */
  readonly objectFormat?: 'sha1' | 'sha256'
}

export interface BuiltRepository {
  readonly directory: string
  /** Ids of the commits and merges, in the order of the steps. */
  readonly commits: readonly ObjectId[]
}

/**
 * Builds a small repository in `directory` (created; it holds no repository yet) with two git processes and a few refs.
 * Authors and dates are fixed, so equal steps give equal commit ids. The last branch is checked out.
 */
export async function buildRepository(
  directory: string,
  steps: readonly RepositoryStep[],
  options: BuildRepositoryOptions = {},
): Promise<BuiltRepository> {
  const history = planHistory(steps)
  await mkdir(directory, { recursive: true })
  const kind = options.bare ? ['--bare'] : []
  const format = `--object-format=${options.objectFormat ?? 'sha1'}`
  await runGit(directory, 'init', '--quiet', format, `--initial-branch=${history.branch}`, '--template=', ...kind)
  if (history.commitCount === 0) return { directory, commits: [] }
  const printed = await runGitBytes({ directory, input: history.stream }, 'fast-import', '--quiet')
  const commits = printed.toString().trimEnd().split('\n')
  await setRefs(directory, history.refs, commits)
  if (!options.bare && history.refs.some((ref) => ref.name === `refs/heads/${history.branch}`))
    await runGit(directory, 'reset', '--quiet', '--hard')
  return { directory, commits }
}

async function setRefs(directory: string, refs: readonly PlannedRef[], commits: readonly ObjectId[]): Promise<void> {
  const commands = [`delete ${IMPORT_REF}`]
  for (const ref of refs) commands.push(`update ${ref.name} ${await targetOf(directory, ref, commits[ref.mark - 1]!)}`)
  await runGitBytes({ directory, input: Buffer.from(`${commands.join('\n')}\n`) }, 'update-ref', '--stdin')
}

async function targetOf(directory: string, ref: PlannedRef, commit: ObjectId): Promise<ObjectId> {
  if (ref.annotation === undefined) return commit
  const tagger = `Ada Example <ada@example.com> ${ref.annotation.unixTime} +0000`
  const name = ref.name.slice('refs/tags/'.length)
  const text = `object ${commit}\ntype commit\ntag ${name}\ntagger ${tagger}\n\n${ref.annotation.text}\n`
  return (await runGitBytes({ directory, input: Buffer.from(text) }, 'mktag')).toString().trim()
}
