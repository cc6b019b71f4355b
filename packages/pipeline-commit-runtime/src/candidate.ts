import { oneLine } from '@r2e/kit'
import type { CommitInfo } from '@r2e/spec'
import * as v from 'valibot'

const ObjectIdSchema = v.pipe(v.string(), v.regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/))

export const CandidateSchema = v.strictObject({
  id: v.string(),
  base: ObjectIdSchema,
  title: v.string(),
  commit: ObjectIdSchema,
})

export type CommitCandidate = v.InferOutput<typeof CandidateSchema>

/** `-` and twelve digits: the suffix of the task's id. */
export function candidateId(commit: Pick<CommitInfo, 'id'>): string {
  return `-${commit.id.slice(0, 12)}`
}

export function subjectOf(commit: Pick<CommitInfo, 'message'>): string {
  return oneLine(commit.message.trim().split('\n', 1)[0]!)
}
