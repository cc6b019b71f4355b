import { withoutType } from './change-type.ts'
import { cleanInstruction } from './clean-instruction.ts'

/** What a commit message says, without the machinery of merges. */
export interface CommitText {
  readonly title: string
  readonly body: string
  /** The merged branch as the subject names it, for a merge. */
  readonly branch: string | undefined
  /** True where title and body only say that branches were merged. */
  readonly machine: boolean
}

const MERGE_REQUEST =
  /^Merge (?:pull request #\d+ (?:from|in) (\S+)(?:\s.*)?|(?:branch|remote-tracking branch|commit|tag) ['"`]([^'"`]+)['"`].*)$/
const SEE_MERGE_REQUEST = /^See merge request \S+$/m

/**
 * Title and body of a message. A forge's merge (`Merge pull request #N from x/y`, `Merge branch 'x' into 'main'` with
 * `See merge request`) carries the request's own title in its body; a plain branch merge says nothing.
 */
export function commitText(message: string): CommitText {
  const lines = message.replace(/\r\n?/g, '\n').trim().split('\n')
  const subject = (lines[0] ?? '').trim()
  const body = lines.slice(1).join('\n').trim()
  const merge = MERGE_REQUEST.exec(subject)
  if (!merge) return { title: subject, body, branch: undefined, machine: false }
  const rest = withoutConflicts(body.replace(SEE_MERGE_REQUEST, ''))
  const [first = '', ...others] = rest.split('\n')
  const branch = merge[1] ?? merge[2]
  return { title: first.trim() || subject, body: others.join('\n').trim(), branch, machine: first.trim() === '' }
}

const INLINE_TRAILER = /\s*(?:--?\s*)?\b(?:Signed-off-by|Co-authored-by):.*$/i

/** A title as text of a task: no type prefix, no pointer, first letter as written. */
export function cleanTitle(title: string): string {
  const text = cleanInstruction(withoutType(title.trim().replace(INLINE_TRAILER, '')))
  return withoutType(text.split('\n')[0]!)
    .replace(/^(?:[.,:;–—]|-(?=\s))+\s*(?=\S)/u, '')
    .trim()
}

function withoutConflicts(body: string): string {
  return body.replace(/^#?\s*Conflicts:\n(?:#?[\t ]+\S.*\n?)*/gm, '').trim()
}
