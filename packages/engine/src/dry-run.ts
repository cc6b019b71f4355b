import { roleUnder } from '@r2e/kit'
import type { JsonObject, Repository, RunConfig, RunEvent, RunSummary } from '@r2e/spec'
import type { EnginePorts, RunOptions } from './ports.ts'
import { runLimits, usesModel } from './preflight.ts'
import { createTally } from './summary.ts'

export interface DryRunInput {
  readonly config: RunConfig
  readonly ports: EnginePorts
  readonly options: RunOptions
  readonly pipelineOptions: JsonObject
  readonly repository: Repository
  readonly emit: (event: RunEvent) => void
}

/** Lists what a run would examine, and what the first stage leaves out. Nothing runs and nothing is written. */
export async function dryRun(input: DryRunInput): Promise<RunSummary> {
  const { ports, options, pipelineOptions, repository, emit } = input
  const started = performance.now()
  const tally = createTally()
  const { limit, maxCandidates } = runLimits(pipelineOptions)
  let found = 0
  const items = ports.pipeline.discover({
    options: pipelineOptions,
    repository,
    languages: ports.languages,
    role: roleUnder(ports.languages),
    signal: options.signal,
  })
  for await (const item of items) {
    options.signal.throwIfAborted()
    if (item.kind === 'found') {
      emit({ type: 'candidate-found', id: item.candidate.id, title: item.candidate.title, index: found++ })
      if (found >= maxCandidates) break
      continue
    }
    const { id, title = '', reason, detail } = item
    const end = { state: 'skipped', reason, detail } as const
    tally.add(end)
    emit({ type: 'candidate-end', id, title, end, replayed: false })
  }
  const counts = tally.counts()
  return {
    run: '',
    pipeline: ports.pipeline.name,
    repo: repository.url,
    stop: found >= maxCandidates ? 'max_candidates' : 'exhausted',
    ...counts,
    candidates: counts.candidates + found,
    tasks: [],
    dataset: undefined,
    ledger: '',
    seconds: Math.round((performance.now() - started) / 100) / 10,
    efficiency: 0,
    details: {
      dry_run: true,
      would_examine: found,
      // at most: the cap, where there is one
      llm_cost_usd: usesModel(ports.pipeline, pipelineOptions) ? input.config.max_spend_usd || null : 0,
      task_disk_bytes: Math.min(found, limit) * (await snapshotSize(repository)),
    },
  }
}

/** Bytes of the tree at the head: each task carries one, packed to less. */
async function snapshotSize(repository: Repository): Promise<number> {
  const entries = await (await repository.tree(repository.head)).entries()
  return entries.reduce((sum, entry) => sum + entry.size, 0)
}
