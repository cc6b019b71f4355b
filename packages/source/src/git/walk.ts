import { randomBytes } from 'node:crypto'
import { type Commit, type CommitInfo, type FileChange, userError, type WithheldReason } from '@r2e/spec'
import { type Git, isGitFailure, streamGit } from './git-process.ts'
import { parseChanges } from './parse-changes.ts'
import { COMMIT_FORMAT, parseCommit } from './parse-commit.ts'
import { type StreamRecord, splitRecords } from './split-records.ts'

export interface WalkQuery {
  readonly from: string
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly firstParent: boolean
  readonly signal?: AbortSignal | undefined
  /** Changes that take more bytes are withheld. */
  readonly limit: number
}

export type HeaderQuery = Pick<WalkQuery, 'from' | 'signal'>

/** A longer message than any person wrote. */
const HEADER_LIMIT = 16 * 1024 * 1024

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

const PATCHES = ['--diff-merges=first-parent', ...DIFF_OPTIONS]
/** Looks at trees only, since finding renames reads files. */
const LISTS = ['--diff-merges=first-parent', '-z', '--raw', '--no-abbrev', '--no-renames']

/**
 * Commits with their changes, from one `git log`. Where an object is missing or damaged git ends; then that commit comes
 * with a list of files only, and another `git log` goes on behind it.
 */
export async function* walkCommits(git: Git, query: WalkQuery): AsyncGenerator<Commit, void> {
  for (let count = 0; ; count++) {
    try {
      for await (const record of logRecords(git, [...PATCHES, `--skip=${count}`], query)) {
        yield readCommit(record)
        count++
      }
      return
    } catch (error) {
      if (!isGitFailure(error)) throw error
      const commit = await readAlone(git, query, count)
      if (commit === undefined) throw error
      yield commit
    }
  }
}

/** The commit at which a walk failed. The walk may have failed just behind it, so it may be whole. */
async function readAlone(git: Git, query: WalkQuery, skip: number): Promise<Commit | undefined> {
  const only = [`--skip=${skip}`, '--max-count=1']
  try {
    for await (const record of logRecords(git, [...PATCHES, ...only], query)) return readCommit(record)
  } catch (error) {
    if (!isGitFailure(error)) throw error
    for await (const record of logRecords(git, [...LISTS, ...only], query))
      return readCommit(record, 'diff_fetch_failed')
  }
  return undefined
}

function readCommit({ bytes, truncated }: StreamRecord, reason?: WithheldReason): Commit {
  const withheld = truncated ? 'diff_too_large' : reason
  const { info, end } = parseCommit(bytes)
  return { ...info, changes: parseChanges(bytes.subarray(end), withheld), ...(withheld && { withheld }) }
}

/** All commits without their changes, none before its children. */
export async function* walkHeaders(git: Git, query: HeaderQuery): AsyncGenerator<CommitInfo, void> {
  const walk = { ...query, firstParent: false, limit: HEADER_LIMIT }
  for await (const { bytes } of logRecords(git, ['-z', '--no-patch', '--date-order'], walk))
    yield parseCommit(bytes).info
}

/** The commits with these ids, those left out that do not exist. */
export async function* readHeaders(
  git: Git,
  ids: readonly string[],
  signal?: AbortSignal,
): AsyncGenerator<CommitInfo, void> {
  const marker = createMarker()
  const command = [
    'log',
    `--format=${marker}${COMMIT_FORMAT}`,
    '-z',
    '--no-patch',
    '--no-walk',
    '--ignore-missing',
    '--stdin',
  ]
  const output = streamGit(git, command, { signal, input: ids.map((id) => `${id}\n`).join('') })
  for await (const { bytes } of splitRecords(output, Buffer.from(marker), HEADER_LIMIT)) yield parseCommit(bytes).info
}

/** The changes from one commit's tree to another's. */
export async function readDiff(
  git: Git,
  [from, to]: readonly [string, string],
  { limit, signal }: Pick<WalkQuery, 'limit' | 'signal'>,
): Promise<FileChange[]> {
  const command = (options: readonly string[]) => streamGit(git, ['diff-tree', '-r', ...options, from, to], { signal })
  try {
    const { bytes, truncated } = await collect(command(DIFF_OPTIONS), limit)
    return parseChanges(bytes, truncated ? 'diff_too_large' : undefined)
  } catch (error) {
    if (!isGitFailure(error)) throw error
    const { bytes } = await collect(command(['-z', '--raw', '--no-abbrev', '--no-renames']), limit)
    return parseChanges(bytes, 'diff_fetch_failed')
  }
}

async function collect(chunks: AsyncIterable<Buffer>, limit: number): Promise<StreamRecord> {
  const parts: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    parts.push(chunk)
    size += chunk.length
    if (size > limit) break
  }
  return { bytes: Buffer.concat(parts), truncated: size > limit }
}

function logRecords(git: Git, args: readonly string[], query: WalkQuery) {
  const marker = createMarker()
  const command = ['log', `--format=${marker}${COMMIT_FORMAT}`, ...args, ...selection(git, query), query.from, '--']
  return splitRecords(streamGit(git, command, { signal: query.signal }), Buffer.from(marker), query.limit)
}

/** Commits are told apart by a marker that no content of the repository can know. */
function createMarker(): string {
  return randomBytes(24).toString('base64url')
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

export function unixSeconds(date: string, round: (value: number) => number): number {
  const time = Date.parse(date)
  if (Number.isNaN(time))
    throw userError('invalid_date', `not a date: ${date}`, { fix: 'Write it in ISO 8601, such as 2024-05-31.' })
  return round(time / 1000)
}
