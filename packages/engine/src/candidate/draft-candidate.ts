import type { Candidate, Draft, DraftInput, Skip } from '@r2e/spec'
import type { CandidateContext } from './context.ts'
import { timed } from './timed.ts'

export async function draftCandidate(context: CandidateContext, candidate: Candidate): Promise<Draft | Skip> {
  const { repository, ports, options } = context
  const tree = await repository.tree(candidate.base)
  const input: DraftInput<unknown> = {
    options: context.pipelineOptions,
    repository,
    tree,
    languages: ports.languages,
    role: context.role,
    signal: options.signal,
  }
  return timed(context, { id: candidate.id, stage: 'draft' }, () => ports.pipeline.draft(candidate, input))
}
