/** What the message of a commit says about the pull or merge request it brought in. */
export interface PullMessage {
  readonly number: number
  readonly forge: 'pull' | 'merge-request'
  /** Empty where the message holds none. */
  readonly title: string
  readonly body: string
}

/** No forge lets a person write more; hostile messages must not take long to match. */
const MESSAGE_LIMIT = 65_536

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
const TITLE_SUBJECT = /\(#(\d+)\)$/
const GITLAB_TRAILER = /^See merge request \S*!(\d+)\s*$/m

export function readPullMessage(message: string): PullMessage | undefined {
  const found = matchMessage(message)
  return found && found.number > 0 && Number.isSafeInteger(found.number) ? found : undefined
}

function matchMessage(message: string): PullMessage | undefined {
  const [first = '', ...lines] = message.slice(0, MESSAGE_LIMIT).trim().split('\n')
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
  const ending = TITLE_SUBJECT.exec(subject)
  if (ending === null) return undefined
  return { number: Number(ending[1]), forge: 'pull', title: subject.slice(0, ending.index).trimEnd(), body: rest }
}

/** A forge writes the title as the first paragraph below the subject of the merge. */
function splitTitle(text: string, otherwise: string): { title: string; body: string } {
  const [first = '', ...others] = text.split(/\n\s*\n/)
  const title = first.replace(/\s+/g, ' ').trim()
  return title === '' ? { title: otherwise, body: '' } : { title, body: others.join('\n\n').trim() }
}
