import { randomBytes } from 'node:crypto'
import { type Commit, type CommitInfo, type FileChange, userError } from '@r2e/spec'
import { type Git, streamGit } from './git-process.ts'
import { parseChanges } from './parse-changes.ts'
import { COMMIT_FORMAT, parseCommit } from './parse-commit.ts'
import { splitRecords } from './split-records.ts'

export interface WalkQuery {
  readonly from: string
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly firstParent: boolean
  readonly signal?: AbortSignal | undefined
  /** Commits whose changes take more bytes are `oversized`. */
  readonly limit: number
}

/** Byte-exact patches, and full ids in the list of files. */
const DIFF_OPTIONS = [
  '-z',
  '--raw',
  '-p',
  '--binary',
  '--full-index',
  '--no-abbrev',
  '-M',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--submodule=short',
  '--ignore-submodules=none',
  '--src-prefix=a/',
  '--dst-prefix=b/',
] as const

/** Commits with their changes, from one `git log`. */
export async function* walkCommits(git: Git, query: WalkQuery): AsyncGenerator<Commit, void> {
  const args = ['--diff-merges=first-parent', ...DIFF_OPTIONS]
  for await (const { bytes, truncated } of logRecords(git, args, query)) {
    const { info, end } = parseCommit(bytes)
    const changes = parseChanges(bytes.subarray(end), truncated)
    yield truncated ? { ...info, changes, oversized: true } : { ...info, changes }
  }
}

/** The same commits without their changes. */
export async function* walkHeaders(git: Git, query: WalkQuery): AsyncGenerator<CommitInfo, void> {
  for await (const { bytes } of logRecords(git, ['-z', '--no-patch'], query)) yield parseCommit(bytes).info
}

/** The changes from one commit's tree to another's. */
export async function readDiff(
  git: Git,
  [from, to]: readonly [string, string],
  { limit, signal }: Pick<WalkQuery, 'limit' | 'signal'>,
): Promise<FileChange[]> {
  const parts: Buffer[] = []
  let size = 0
  for await (const chunk of streamGit(git, ['diff-tree', '-r', ...DIFF_OPTIONS, from, to], { signal })) {
    parts.push(chunk)
    size += chunk.length
    if (size > limit) return parseChanges(Buffer.concat(parts), true)
  }
  return parseChanges(Buffer.concat(parts), false)
}

function logRecords(git: Git, args: readonly string[], query: WalkQuery) {
  // Commits are told apart by a marker that no content of the repository can know.
  const marker = randomBytes(24).toString('base64url')
  const command = ['log', `--format=${marker}${COMMIT_FORMAT}`, ...args, ...selection(git, query), query.from, '--']
  return splitRecords(streamGit(git, command, { signal: query.signal }), Buffer.from(marker), query.limit)
}

function selection(git: Git, query: WalkQuery): string[] {
  const args: string[] = []
  if (query.firstParent) args.push('--first-parent')
  // The plain --since stops at the first older commit, which a wrong clock somewhere in the history makes too early.
  const since = git.version >= 2037 ? '--since-as-filter' : '--since'
  if (query.since !== undefined) args.push(`${since}=@${unixSeconds(query.since, Math.ceil)}`)
  if (query.until !== undefined) args.push(`--until=@${unixSeconds(query.until, Math.floor)}`)
  return args
}

function unixSeconds(date: string, round: (value: number) => number): number {
  const time = Date.parse(date)
  if (Number.isNaN(time))
    throw userError('invalid_date', `not a date: ${date}`, { fix: 'Write it in ISO 8601, such as 2024-05-31.' })
  return round(time / 1000)
}
