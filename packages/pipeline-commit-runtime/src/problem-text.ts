import {
  changeType,
  cleanInstruction,
  cleanTitle,
  commitText,
  countWords,
  isBot,
  isNonFixType,
  mergedCommits,
  titleKind,
  withoutType,
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
  /^(?:address|apply|review|lint|go ?fmt|format|wip|fixup!|squash!|\[pre-commit|update \S+$|typos?|clean|merge|minor|nits?|oops|add (?:docs|(?:\w+ )?tests?)|(?:fix|update|improve|more|skip) (?:the )?(?:\w+ ){0,3}(?:tests?|lint\w*|ci|build|workflows?|typos?|docs)\b|resolve (?:merge )?conflicts?|change ?log)\b/i

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
  const merged = (await mergedCommits({ repository, tip, into, limit: MERGED_LIMIT })).toReversed()
  const told = merged
    .filter(isWork)
    .map(wordsOf)
    .filter(({ title }) => countWords(title) > 1)
  if (countWords(text.title) > 1) return { ...text, description: completed(text, told) }
  if (told.length > 0) return combined(text, told)
  const steps = merged.filter(({ parents }) => parents.length < 2).map(wordsOf)
  return { ...text, description: completed(text, steps) }
}

/** Whether a merged commit is a piece of the work rather than a step on the way. */
function isWork(commit: CommitInfo): boolean {
  const { title, machine } = commitText(commit.message)
  const type = changeType(title)
  if (machine || titleKind(title) !== undefined || isBot(commit.authorName, commit.authorEmail)) return false
  if (isNonFixType(type) && !/^(?:feat|features?|perf)$/.test(type!)) return false
  return !HOUSEKEEPING.test(title) && !HOUSEKEEPING.test(withoutType(title))
}

function wordsOf(commit: CommitInfo): ProblemText {
  const { title, body } = commitText(commit.message)
  return { title: cleanTitle(title), description: cleanInstruction(body) }
}

/** For a merge without words of its own: the only piece, else a list of their titles. */
function combined(own: ProblemText, told: readonly ProblemText[]): ProblemText {
  const [only] = told
  if (only && told.length === 1) return only
  const titles = [...new Set(told.map(({ title }) => title))].filter((title) => !HOUSEKEEPING.test(title))
  return { title: own.title, description: cleanInstruction(titles.map((title) => `- ${title}`).join('\n')) }
}

/** The descriptions of the merged commits, oldest first, where the request itself has none. */
function completed(own: ProblemText, told: readonly ProblemText[]): string {
  const described = told.map(({ description }) => description).filter((text) => countWords(text) >= 5)
  const parts = [own.description, ...described.slice(0, 3)].filter((text) => text !== '' && text !== own.title)
  return cleanInstruction([...new Set(parts)].join('\n\n'))
}
