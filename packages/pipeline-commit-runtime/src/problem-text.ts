import {
  changeType,
  cleanInstruction,
  cleanTitle,
  commitText,
  countWords,
  isNonFixType,
  mergedCommits,
  titleKind,
} from '@r2e/kit'
import type { CommitInfo, Repository } from '@r2e/spec'

export interface ProblemText {
  readonly title: string
  readonly description: string
}

const MERGED_LIMIT = 30
/** A description of fewer words is completed from the merged commits. */
const THIN = 15
const HOUSEKEEPING =
  /^(?:address|apply|review|lint|go ?fmt|format|wip|fixup!|squash!|update \S+$|typos?|clean|merge|minor|nits?|oops|add (?:docs|(?:\w+ )?tests?)|(?:fix|update|improve|more) (?:the )?(?:\w+ )?(?:tests?|lint\w*|ci|build|typos?|docs|formatting)|resolve (?:merge )?conflicts?|changelog)\b/i

/** The words of a commit about the problem: its own, or for a merge that says little those of what it merged. */
export async function problemText(
  commit: CommitInfo,
  repository: Pick<Repository, 'commit' | 'mergeBase'>,
): Promise<ProblemText> {
  const own = commitText(commit.message)
  const empty = own.machine || titleKind(own.title) === 'branch_merge'
  const text = { title: empty ? '' : cleanTitle(own.title), description: cleanInstruction(own.body) }
  const [into, tip] = commit.parents
  if (into === undefined || tip === undefined || countWords(text.description) >= THIN) return text
  const merged = await mergedCommits({ repository, tip, into, limit: MERGED_LIMIT })
  const told = merged
    .toReversed()
    .map(tell)
    .filter((part) => part !== undefined)
  return countWords(text.title) < 3 ? combined(text, told) : { ...text, description: completed(text, told) }
}

/** What one merged commit says, unless it is a step of the work rather than a piece of it. */
function tell(commit: CommitInfo): ProblemText | undefined {
  const { title, body, machine } = commitText(commit.message)
  const type = changeType(title)
  if (machine || titleKind(title) !== undefined || HOUSEKEEPING.test(title)) return undefined
  if (isNonFixType(type) && !/^(?:feat|feature|features|perf|refactor)$/.test(type!)) return undefined
  const told = { title: cleanTitle(title), description: cleanInstruction(body) }
  return HOUSEKEEPING.test(told.title) || countWords(told.title) < 2 ? undefined : told
}

function combined(own: ProblemText, told: readonly ProblemText[]): ProblemText {
  const [only] = told
  if (only === undefined) return own
  if (told.length === 1) return only
  const titles = [...new Set(told.map(({ title }) => title))]
  return { title: '', description: cleanInstruction(titles.map((title) => `- ${title}`).join('\n')) }
}

/** The descriptions of the merged commits, oldest first, where the request itself has none. */
function completed(own: ProblemText, told: readonly ProblemText[]): string {
  const described = told.filter(({ description }) => countWords(description) >= 5).slice(0, 3)
  return cleanInstruction(
    [own.description, ...described.map(({ description }) => description)].filter(Boolean).join('\n\n'),
  )
}
