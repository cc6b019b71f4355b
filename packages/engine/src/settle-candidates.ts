import { join } from 'node:path'
import type { Candidate, CandidateEnd, Found, RunSummary, Skip } from '@r2e/spec'
import { type CandidateContext, type Settled, workersOf } from './candidate/context.ts'
import { record, replay } from './candidate/ledger.ts'
import { isBudgetExhausted } from './candidate/model-fault.ts'
import { processCandidate } from './candidate/process-candidate.ts'
import type { DatasetWriter } from './dataset/dataset-writer.ts'
import { writeDurably } from './journal/write-durably.ts'
import { runLimits } from './preflight.ts'
import { inOrder } from './schedule/in-order.ts'
import { type PlacedTask, shareQuarantine, writeTask } from './share-quarantine.ts'
import { spendReport } from './spend-report.ts'
import { createTally, type Tally } from './summary.ts'

export interface SettleInput {
  readonly context: CandidateContext
  readonly dataset: DatasetWriter
  /** The run's own; the context's fires also when there are tasks enough. */
  readonly signal: AbortSignal
  /** Ends the work on candidates whose turn will not come. */
  stopWork(): void
}

/** Takes every candidate to its end, in discovery order, each journalled before the next; then completes the dataset. */
export async function settleCandidates(input: SettleInput): Promise<RunSummary> {
  const { context, dataset, signal } = input
  const progress: Progress = {
    started: performance.now(),
    tally: createTally(),
    placed: new Map(),
    restless: new Set(),
  }
  try {
    const stop = await settleInOrder(input, progress)
    signal.throwIfAborted()
    await shareQuarantine({ ...context, options: { ...context.options, signal } }, { dataset, ...progress })
    const complete = stop !== 'budget' && progress.tally.counts().failed.transient === 0
    const directory = await dataset.finish({ complete })
    const summary = summarise(context, progress, { stop, dataset: directory })
    await writeDurably(join(context.directory.path, 'summary.json'), `${JSON.stringify(summary, null, 2)}\n`)
    return summary
  } catch (error) {
    if (signal.aborted)
      context.emit({
        type: 'run-end',
        summary: summarise(context, progress, { stop: 'interrupted', dataset: undefined }),
      })
    throw error
  }
}

interface Progress {
  readonly started: number
  readonly tally: Tally
  /** Tasks in the dataset by their candidates' ids, in the order of discovery. */
  readonly placed: Map<string, PlacedTask>
  /** Tests seen to move in any candidate (`parametrisedTest`). */
  readonly restless: Set<string>
}

async function settleInOrder({ context, dataset, signal, stopWork }: SettleInput, progress: Progress) {
  const { tally, placed, restless } = progress
  const { limit, maxCandidates } = runLimits(context.pipelineOptions)
  const admission: Admission = { context, dataset, seen: new Map(), placed }
  let found = 0
  let placedOnce = 0
  for await (const settled of inOrder(discover(context), (item) => settle(context, item), workersOf(context))) {
    signal.throwIfAborted()
    if (isBudgetExhausted(settled.error)) {
      // no verdict: it is tried again where the run goes on
      context.emit({ type: 'notice', level: 'warning', code: 'budget_exhausted', message: messageOf(settled.error) })
      stopWork()
      return 'budget'
    }
    const end = await admit(admission, settled)
    tally.add(end)
    for (const test of settled.restless) restless.add(test)
    context.emit({ type: 'candidate-end', id: settled.id, title: settled.title, end, replayed: settled.replayed })
    if (end.state === 'failed' && end.fault === 'bug' && context.config.strict) throw settled.error
    if (settled.found) found++
    // A task that was withdrawn counts: a resumed run stops where the undisturbed one did.
    if (end.state === 'admitted' || settled.revised) placedOnce++
    const stop = placedOnce >= limit ? 'limit' : found >= maxCandidates ? 'max_candidates' : undefined
    if (!stop) continue
    stopWork()
    return stop
  }
  return 'exhausted'
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function summarise(
  context: CandidateContext,
  { started, tally, placed }: Progress,
  { stop, dataset }: Pick<RunSummary, 'stop' | 'dataset'>,
): RunSummary {
  const llm = spendReport(context.ports.model?.budget)
  return {
    run: context.directory.journal.header.run,
    pipeline: context.ports.pipeline.name,
    repo: context.repository.url,
    stop,
    ...tally.counts(),
    tasks: [...placed.values()].map(({ task }) => task.taskId),
    dataset,
    ledger: context.directory.path,
    seconds: Math.round((performance.now() - started) / 100) / 10,
    efficiency: Math.round(context.observer.efficiency() * 1000) / 1000,
    details: llm ? { llm } : {},
  }
}

interface Admission {
  readonly context: CandidateContext
  readonly dataset: DatasetWriter
  /** Key of a change → the task that has it. */
  readonly seen: Map<string, string>
  readonly placed: Map<string, PlacedTask>
}

/** Decides in order, so that of two equal changes the first found is kept whatever finished first. */
async function admit(
  { context, dataset, seen, placed }: Admission,
  { candidate, ...settled }: Worked,
): Promise<CandidateEnd> {
  const { task } = settled
  const earlier = task && seen.get(task.changeKey)
  const end: CandidateEnd = earlier
    ? { state: 'skipped', reason: 'duplicate', detail: `the same change as ${earlier}` }
    : settled.end
  if (!settled.replayed) await record(context, settled, end)
  if (!task || end.state !== 'admitted') return end
  seen.set(task.changeKey, task.taskId)
  placed.set(settled.id, { candidate: candidate!, task })
  await writeTask(context, dataset, task)
  return end
}

/** `candidate`: undefined for what discovery left out. */
type Worked = Settled & { readonly candidate?: Candidate | undefined }

async function settle(context: CandidateContext, item: Found<Candidate> | Skip): Promise<Worked> {
  if (item.kind === 'found') {
    const { candidate } = item
    const settled = (await replay(context, candidate.id)) ?? (await processCandidate(context, candidate))
    return { ...settled, candidate }
  }
  const { id, title = '', reason, detail } = item
  const replayed = context.directory.journal.settled.has(id)
  return { id, title, end: { state: 'skipped', reason, detail }, replayed, found: false, restless: [] }
}

async function* discover(context: CandidateContext): AsyncGenerator<Found<Candidate> | Skip, void> {
  const { ports, options } = context
  let index = 0
  const items = ports.pipeline.discover({
    options: context.pipelineOptions,
    repository: context.repository,
    languages: ports.languages,
    role: context.role,
    signal: options.signal,
  })
  for await (const item of items) {
    if (item.kind === 'found')
      context.emit({ type: 'candidate-found', id: item.candidate.id, title: item.candidate.title, index: index++ })
    yield item
  }
}
