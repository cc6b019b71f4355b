import type { Candidate, Draft, DraftInput, LanguageModel, Skip } from '@r2e/spec'
import { usesModel } from '../preflight.ts'
import { type CandidateContext, taskIdOf } from './context.ts'
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
    model: bookedTo(context, taskIdOf(repository, candidate)),
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

/** The model, where this pipeline asks for one; whatever it calls is paid by the task. */
function bookedTo({ ports, pipelineOptions }: CandidateContext, task: string): LanguageModel | undefined {
  const inner = ports.model?.model
  if (!inner || !usesModel(ports.pipeline, pipelineOptions)) return undefined
  return { ...inner, complete: (request, call) => inner.complete(request, { ...call, task }) }
}
