/** What the message of a commit says about the pull or merge request it brought in. */
export interface PullMessage {
  readonly number: number
  readonly forge: 'pull' | 'merge-request'
  /** Empty where the message holds none. */
  readonly title: string
  readonly body: string
}

const MERGE_SUBJECTS = [
  // GitHub
  /^Merge (?:pull request|PR) #(\d+)\b/,
  // Gitea and Forgejo, which put the title into the subject
  /^Merge pull request '(?<title>.*)' \(#(\d+)\) from /,
  // Bitbucket
  /^Merged in .* \(pull request #(\d+)\)$/,
  // merge queues
  /^(?:Auto merge of|Merge) #(\d+)\b/,
]
/** A squash, or a merge whose subject is the title of the pull request. */
const TITLE_SUBJECT = /^(.*?)\s*\(#(\d+)\)$/
const GITLAB_TRAILER = /^See merge request \S*!(\d+)\s*$/m

export function readPullMessage(message: string): PullMessage | undefined {
  const [first = '', ...lines] = message.trim().split('\n')
  const subject = first.trim()
  const rest = lines.join('\n').trim()
  const gitlab = GITLAB_TRAILER.exec(rest)
  if (gitlab !== null) {
    const text = rest.replace(GITLAB_TRAILER, '').trim()
    return { number: Number(gitlab[1]), forge: 'merge-request', ...splitTitle(text, subject) }
  }
  for (const pattern of MERGE_SUBJECTS) {
    const found = pattern.exec(subject)
    if (found === null) continue
    const title = found.groups?.title
    const text = title === undefined ? splitTitle(rest, '') : { title, body: rest }
    return { number: Number(found.at(-1)), forge: 'pull', ...text }
  }
  const [, title = '', number] = TITLE_SUBJECT.exec(subject) ?? []
  return number === undefined ? undefined : { number: Number(number), forge: 'pull', title, body: rest }
}

/** A forge writes the title as the first paragraph below the subject of the merge. */
function splitTitle(text: string, otherwise: string): { title: string; body: string } {
  const [first = '', ...others] = text.split(/\n\s*\n/)
  const title = first.replace(/\s+/g, ' ').trim()
  return title === '' ? { title: otherwise, body: '' } : { title, body: others.join('\n\n').trim() }
}
