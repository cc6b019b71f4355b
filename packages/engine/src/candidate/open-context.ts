import { join } from 'node:path'
import { graderFiles } from '@r2e/grader'
import { roleUnder } from '@r2e/kit'
import { type JsonObject, R2eError, type Repository, type RunConfig, type RunEvent } from '@r2e/spec'
import { openEnvironmentMemory } from '../environment/environment-memory.ts'
import { openBlobs } from '../journal/blobs.ts'
import type { RunDirectory } from '../journal/run-directory.ts'
import { createObserver, type Observer } from '../observe/observer.ts'
import type { EnginePorts, RunOptions } from '../ports.ts'
import type { CandidateContext } from './context.ts'

export interface ContextInput {
  readonly config: RunConfig
  readonly ports: EnginePorts
  readonly options: RunOptions
  readonly pipelineOptions: JsonObject
  readonly repository: Repository
  readonly directory: RunDirectory
  readonly emit: (event: RunEvent) => void
}

export async function openContext(input: ContextInput): Promise<CandidateContext> {
  const { config, ports, options, directory } = input
  const state = options.stateDirectory
  return {
    ...input,
    access: accessOf(config),
    blobs: openBlobs(join(state, 'blobs')),
    observer: ports.sandbox
      ? createObserver({
          provider: ports.sandbox,
          sandbox: config.sandbox,
          run: directory.journal.header.run,
          directory: join(state, 'cache', 'observations'),
          cores: options.cores,
        })
      : noObserver,
    environments: openEnvironmentMemory(config.bootstrap.cache_dir, config.bootstrap.force),
    grader: await graderFiles(),
    restless: new Set(),
    role: roleUnder(ports.languages),
  }
}

/** `auto` is public until a source can tell; a token named for this repository means private. */
function accessOf({ repo }: RunConfig): 'public' | 'private' {
  if (repo.access !== 'auto') return repo.access
  return repo.auth_token_env ? 'private' : 'public'
}

const noObserver: Observer = {
  efficiency: () => 0,
  session() {
    throw new R2eError('no_sandbox', 'bug', 'a draft asked for a run in a pipeline without sandbox')
  },
}
