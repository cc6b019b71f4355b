import type { Candidate, Draft, DraftInput, Skip } from '@r2e/spec'
import type { CandidateContext } from './context.ts'
import { DraftSkipped, draftEnvironment } from './draft-environment.ts'
import { timed } from './timed.ts'

export async function draftCandidate(context: CandidateContext, candidate: Candidate): Promise<Draft | Skip> {
  const { repository, ports, options } = context
  const input: DraftInput<unknown> = {
    options: context.pipelineOptions,
    repository,
    tree: await repository.tree(candidate.base),
    languages: ports.languages,
    role: context.role,
    signal: options.signal,
  }
  const draft = (extra?: Partial<DraftInput<unknown>>) =>
    timed(context, { id: candidate.id, stage: 'draft' }, () => ports.pipeline.draft(candidate, { ...input, ...extra }))
  if (ports.pipeline.needs.environment !== 'before-draft') return draft()
  await using session = context.observer.session(options.signal)
  try {
    return await draft(draftEnvironment(context, candidate, session))
  } catch (error) {
    if (error instanceof DraftSkipped) return error.skip
    throw error
  }
}
