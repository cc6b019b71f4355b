import { changeType, commitText, countWords, hasFixSignal, isBot, isBotBranch, isNonFixType, titleKind } from '@r2e/kit'
import type { Commit, SkipReason } from '@r2e/spec'
import type { Options } from './options.ts'

export interface Reason {
  readonly reason: SkipReason
  readonly detail: string
}

/** Why a commit is left out by what its metadata says; costs nothing but reading the message. */
export function skipByMetadata(commit: Commit, options: Options): Reason | undefined {
  const merge = commit.parents.length > 1
  const skipMerges = options.skip_merge_commits ?? !options.first_parent
  if (commit.parents.length === 0) return { reason: 'root_commit', detail: 'the commit has no parent to compare with' }
  if (merge && skipMerges) return { reason: 'merge_commit', detail: `a merge of ${commit.parents.length} commits` }
  return skipByAuthor(commit, options) ?? skipByMessage(commit, options)
}

function skipByAuthor(commit: Commit, options: Options): Reason | undefined {
  const identity = [commit.authorName, commit.authorEmail].map((text) => text.trim().toLowerCase())
  const excluded = options.exclude_authors.find((author) => identity.includes(author.trim().toLowerCase()))
  // The reason stays without the author: an address may stand in the option.
  if (excluded !== undefined) return { reason: 'excluded_author', detail: 'the author is in exclude_authors' }
  const { branch } = commitText(commit.message)
  if (isBot(commit.authorName, commit.authorEmail)) return { reason: 'bot_author', detail: 'written by a program' }
  if (branch !== undefined && isBotBranch(branch)) return { reason: 'bot_author', detail: 'merges a program’s branch' }
  return undefined
}

function skipByMessage(commit: Commit, options: Options): Reason | undefined {
  const { title, body } = commitText(commit.message)
  const words = countWords(`${title} ${body}`)
  if (words < options.min_message_words)
    return { reason: 'short_message', detail: `${words} words, at least ${options.min_message_words} wanted` }
  if (!options.bugfix_only) return undefined
  const type = changeType(title)
  if (isNonFixType(type)) return { reason: 'non_bugfix_type', detail: `type ${type}` }
  const kind = titleKind(title)
  if (kind !== undefined) return { reason: 'non_bugfix_type', detail: `a ${kind.replace('_', ' ')} by its title` }
  if (!hasFixSignal(title, body))
    return { reason: 'no_bugfix_signal', detail: 'the message names nothing that was wrong' }
  return undefined
}
