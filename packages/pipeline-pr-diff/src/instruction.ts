import { cleanInstruction, cleanTitle, countWords, cutLeaks, joinText, type LeakFacts, leakScan } from '@r2e/kit'
import type { RequestCandidate } from './candidate.ts'
import type { Options } from './options.ts'
import type { Reason } from './reason.ts'

/** Fewer words say too little to work by. */
const LEAST_WORDS = 4

/** The linked issues, then the request's own words, then what is asked for; or why there is no such text. */
export function instructionOf(candidate: RequestCandidate, facts: LeakFacts, options: Options): string | Reason {
  const issues = candidate.issues.map((issue) => joinText(cleanTitle(issue.title), cleanInstruction(issue.body)))
  const own = joinText(cleanTitle(candidate.title), cleanInstruction(candidate.body))
  const statement = cutLeaks(cleanInstruction(joinText(...issues, own)), facts)
  const words = countWords(statement)
  if (words < LEAST_WORDS)
    return { reason: 'instruction_too_thin', detail: `${words} words, at least ${LEAST_WORDS} wanted` }
  const [leak] = leakScan(statement, facts)
  if (leak) return { reason: 'leak_in_text', detail: `${leak.kind} in the text` }
  return joinText(statement, request(options))
}

function request(options: Options): string {
  const form =
    options.diff_format === 'unified'
      ? 'a unified diff against the base commit'
      : 'search/replace blocks against the base commit'
  if (!options.emit_harbor_env) return `Answer with ${form}.`
  return `Make the change in the work tree; your answer is ${form}, and it is compared with the change that the project made.`
}
