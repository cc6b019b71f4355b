import { graderFilesFor } from '@r2e/grader'
import type { Candidate, Draft } from '@r2e/spec'
import type { TaskInput } from '../render/task-input.ts'
import { type RenderContext, taskIdOf } from './context.ts'

/** What every task of a run has in common, before anything was measured. Parser and reporters come with the runner that needs them. */
export function taskFrame(context: RenderContext, candidate: Candidate, draft: Draft): TaskInput {
  const { config, ports, repository } = context
  return {
    taskId: taskIdOf(repository, candidate),
    org: config.output.org,
    pipeline: { name: ports.pipeline.name, version: ports.pipeline.version },
    repository: { url: repository.url, owner: repository.owner, name: repository.name, access: context.access },
    base: candidate.base,
    draft,
    recipe: undefined,
    snapshot: undefined,
    tests: undefined,
    limits: { verifierTimeoutSec: 300, cpus: config.sandbox.cpus, memoryMb: config.sandbox.memory_mb },
    grader: graderFilesFor(context.grader, undefined),
    baselineReward: undefined,
    licence: undefined,
    image: undefined,
    validation: 'unverified',
    versionTag: undefined,
  }
}
