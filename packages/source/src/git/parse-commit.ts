import { type CommitInfo, decodeUtf8, R2eError } from '@r2e/spec'

/** The header of a commit for `git log --format`, each field closed by a zero byte. */
export const COMMIT_FORMAT = '%H%x00%P%x00%an%x00%ae%x00%aI%x00%cI%x00%B%x00'
const FIELDS = 7

export interface ParsedCommit {
  readonly info: CommitInfo
  /** Where the header ends: with `-z` git closes it with one more zero byte. */
  readonly end: number
}

export function parseCommit(bytes: Buffer): ParsedCommit {
  const fields: string[] = []
  let at = 0
  while (fields.length < FIELDS) {
    const found = bytes.indexOf(0, at)
    // A message above the limit of the stream is cut off.
    const end = found === -1 && fields.length === FIELDS - 1 ? bytes.length : found
    if (end === -1) throw new R2eError('git_output', 'bug', 'git wrote an incomplete commit header')
    fields.push(decodeUtf8(bytes.subarray(at, end)))
    at = end + 1
  }
  const [id = '', parents = '', authorName = '', authorEmail = '', authoredAt = '', committedAt = '', message = ''] =
    fields
  const info = {
    id,
    parents: parents === '' ? [] : parents.split(' '),
    authorName,
    authorEmail,
    authoredAt,
    committedAt,
    message,
  }
  return { info, end: bytes[at] === 0 ? at + 1 : at }
}
