import { cleanInstruction, cleanTitle, commitText, type ProblemText, problemText, titleKind } from '@r2e/kit'
import type { CommitInfo, Repository } from '@r2e/spec'

/** The words of a commit about its problem; of a merge that says little those of what it merged. */
export async function commitProblem(
  commit: CommitInfo,
  repository: Pick<Repository, 'commit' | 'mergeBase'>,
): Promise<ProblemText> {
  const { title, body, machine } = commitText(commit.message)
  const empty = machine || titleKind(title) === 'branch_merge'
  const own = { title: empty ? '' : cleanTitle(title), description: cleanInstruction(body) }
  const [into, tip] = commit.parents
  return into === undefined || tip === undefined ? own : problemText(own, { repository, tip, into })
}
