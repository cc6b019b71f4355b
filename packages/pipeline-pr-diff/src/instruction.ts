import {
  cleanInstruction,
  cleanTitle,
  countWords,
  joinText,
  type LeakFacts,
  leakScan,
  type ProblemText,
  problemText,
  statementWithoutLeaks,
} from '@r2e/kit'
import type { Repository } from '@r2e/spec'
import type { RequestCandidate } from './candidate.ts'
import type { Options } from './options.ts'
import type { Reason } from './reason.ts'

/** Fewer words say too little to work by. */
const LEAST_WORDS = 4

/** The linked issues, then the request's own words, completed from its commits where there are few. */
export async function requestProblem(candidate: RequestCandidate, repository: Repository): Promise<ProblemText> {
  const own = { title: cleanTitle(candidate.title), description: cleanInstruction(candidate.body) }
  if (candidate.issues.length === 0) return problemText(own, { repository, tip: candidate.head, into: candidate.base })
  const [first, ...others] = candidate.issues.map(({ title, body }) => ({ title: cleanTitle(title), body }))
  const rest = [...others, { title: own.title, body: candidate.body }]
  const description = [first!.body, ...rest.flatMap(({ title, body }) => [title, body])].map(cleanInstruction)
  return { title: first!.title, description: cleanInstruction(description.filter(Boolean).join('\n\n')) }
}

/** The problem without leaks and what is asked for; or why there is no such text. */
export function instructionOf(text: ProblemText, facts: LeakFacts, options: Options): string | Reason {
  const statement = statementWithoutLeaks(text, facts)
  const words = countWords(statement)
  if (words < LEAST_WORDS)
    return { reason: 'instruction_too_thin', detail: `${words} words, at least ${LEAST_WORDS} wanted` }
  const [leak] = leakScan(statement, facts)
  return leak ? { reason: 'leak_in_text', detail: `${leak.kind} in the text` } : joinText(statement, request(options))
}

function request(options: Options): string {
  const form =
    options.diff_format === 'unified'
      ? 'a unified diff against the base commit'
      : 'search/replace blocks against the base commit'
  if (!options.emit_harbor_env) return `Answer with ${form}.`
  return `Make the change in the work tree; your answer is ${form}, and it is compared with the change that the project made.`
}
