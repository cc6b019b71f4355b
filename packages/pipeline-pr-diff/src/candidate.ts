import { oneLine } from '@r2e/kit'
import type { PullRequest } from '@r2e/spec'
import * as v from 'valibot'

const ObjectIdSchema = v.pipe(v.string(), v.regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/))
const LinkedIssueSchema = v.strictObject({ reference: v.string(), title: v.string(), body: v.string() })

/** A request with its words as they were read, so that drafting asks no service again. */
export const CandidateSchema = v.strictObject({
  id: v.string(),
  base: ObjectIdSchema,
  title: v.string(),
  number: v.pipe(v.number(), v.integer(), v.minValue(0)),
  head: ObjectIdSchema,
  body: v.string(),
  merged_at: v.string(),
  merge_commit: v.nullable(ObjectIdSchema),
  url: v.nullable(v.string()),
  issues: v.array(LinkedIssueSchema),
})

export type RequestCandidate = v.InferOutput<typeof CandidateSchema>

/** More of a body is never read. */
const BODY_LIMIT = 20_000

export function candidateOf(request: PullRequest): RequestCandidate {
  return {
    id: `-${request.number}`,
    base: request.base,
    title: oneLine(request.title),
    number: request.number,
    head: request.head,
    body: request.body.slice(0, BODY_LIMIT),
    merged_at: request.mergedAt,
    merge_commit: request.mergeCommit ?? null,
    url: request.url ?? null,
    issues: request.linkedIssues.map(({ reference, title, body }) => ({
      reference,
      title: oneLine(title),
      body: body.slice(0, BODY_LIMIT),
    })),
  }
}
