import {
  countWords,
  type HiddenApiInput,
  hiddenApi,
  interfaceNote,
  JUDGED_BY_TESTS,
  joinText,
  type LeakFacts,
  leakScan,
  type ProblemText,
  statementWithoutLeaks,
} from '@r2e/kit'
import type { FileChange } from '@r2e/spec'
import type { Reason } from './metadata-skip.ts'

/** More unknown names than this are no task but a guessing game. */
const API_LIMIT = 60

/** The problem statement without leaks, or why there is none. */
export function statementOf(text: ProblemText, facts: LeakFacts, source: readonly FileChange[]): string | Reason {
  const statement = statementWithoutLeaks(text, facts)
  const told = countWords(statement) >= 2 ? statement : joinText(statement, neutralStatement(source)).trim()
  const [leak] = leakScan(told, facts)
  return leak ? { reason: 'leak_in_text', detail: `${leak.kind} in the text` } : told
}

/** The whole instruction, or `hidden_api` where too much would have to be given away. */
export async function instructionOf(statement: string, input: Omit<HiddenApiInput, 'text'>): Promise<string | Reason> {
  const api = await hiddenApi({ ...input, text: statement })
  const unknown = api.names.size + api.wording.length
  if (unknown > API_LIMIT)
    return {
      reason: 'hidden_api',
      detail: `the tests rely on ${unknown} things that nothing tells, limit ${API_LIMIT}`,
    }
  return joinText(statement, interfaceNote(api), JUDGED_BY_TESTS)
}

/** What can be said without giving anything away, where the history says nothing: the parts that need work. */
function neutralStatement(source: readonly FileChange[]): string {
  const folders = [...new Set(source.map(({ path }) => path.split('/').slice(0, -1).join('/')))].sort()
  const places = folders.slice(0, 8).map((folder) => (folder === '' ? 'the top folder' : `\`${folder}\``))
  return `Some behaviour of the code in ${places.join(', ')} is missing or wrong. Find it and put it right.`
}
