import type { CommitInfo } from '@r2e/spec'
import { changeType, isNonFixType, withoutType } from './change-type.ts'
import { cleanInstruction } from './clean-instruction.ts'
import { cleanTitle, commitText } from './commit-text.ts'
import { countWords } from './count-words.ts'
import { isBot } from './is-bot.ts'
import { type MergedQuery, mergedCommits } from './merged-commits.ts'
import { titleKind } from './title-kind.ts'

/** The words about a problem, cleaned. Either may be empty. */
export interface ProblemText {
  readonly title: string
  readonly description: string
}

const MERGED_LIMIT = 30
/** A description of fewer words is completed from the merged commits. */
const THIN = 15
const HOUSEKEEPING =
  /^(?:address|apply|review|lint|go ?fmt|format|wip|fixup!|squash!|\[pre-commit|update \S+$|typos?|clean|merge|minor|nits?|oops|add (?:docs|(?:\w+ )?tests?)|(?:fix|update|improve|more|skip) (?:the )?(?:\w+ ){0,3}(?:tests?|lint\w*|ci|build|workflows?|typos?|docs)\b|resolve (?:merge )?conflicts?|change ?log)\b/i

/** The words of a change about its problem: its own, completed from the commits that it merged where they say little. */
export async function problemText(own: ProblemText, merge: Omit<MergedQuery, 'limit'>): Promise<ProblemText> {
  if (countWords(own.description) >= THIN) return own
  const merged = (await mergedCommits({ ...merge, limit: MERGED_LIMIT })).toReversed()
  const told = merged
    .filter(isWork)
    .map(wordsOf)
    .filter(({ title }) => countWords(title) > 1)
  if (countWords(own.title) > 1) return { ...own, description: completed(own, told) }
  if (told.length > 0) return combined(own, told)
  const steps = merged.filter(({ parents }) => parents.length < 2).map(wordsOf)
  return { ...own, description: completed(own, steps) }
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
