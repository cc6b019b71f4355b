import assert from 'node:assert/strict'
import type { Candidate, Draft, DraftInput, Found, LanguagePack, Pipeline, Skip } from '@r2e/spec'

/** What one run of the pipeline over the history gives. */
export interface PipelineRun {
  readonly pipeline: Pipeline<unknown, Candidate>
  readonly written: Readonly<Record<string, unknown>>
  readonly directory: string
  readonly languages: readonly LanguagePack[]
  readonly found: readonly (Found | Skip)[]
  readonly drafts: ReadonlyMap<string, Draft>
  role: DraftInput<unknown>['role']
  draft(candidate: Candidate): Promise<Draft | Skip>
}

export interface RunCheck {
  readonly title: string
  run(run: PipelineRun): Promise<void> | void
}

/** Reads a value by a schema through the Standard Schema interface, so that no schema library is needed. */
export async function parse(schema: Pipeline['options'] | Pipeline['candidate'], value: unknown): Promise<unknown> {
  const result = await schema['~standard'].validate(value)
  assert.equal(result.issues, undefined, JSON.stringify(result.issues?.map(({ message, path }) => [message, path])))
  return (result as { value: unknown }).value
}
