import { parametrisedTest } from '@r2e/reward'
import { type Candidate, decodeUtf8 } from '@r2e/spec'
import { type AdmittedTask, type CandidateContext, workersOf } from './candidate/context.ts'
import { record, taskFiles } from './candidate/ledger.ts'
import { isBudgetExhausted } from './candidate/model-fault.ts'
import { processCandidate } from './candidate/process-candidate.ts'
import type { DatasetWriter } from './dataset/dataset-writer.ts'
import { inOrder } from './schedule/in-order.ts'
import type { Tally } from './summary.ts'

/** A task that stands in the dataset. */
export interface PlacedTask {
  readonly candidate: Candidate
  readonly task: AdmittedTask
}

interface Placement {
  readonly dataset: DatasetWriter
  readonly tally: Tally
  readonly placed: Map<string, PlacedTask>
  readonly restless: Set<string>
}

/**
 * Keeps a test that moved in one task of a repository out of all the others: a race that three pairs of runs did not
 * show in one task was seen in its neighbour, in the same code. Each task that lists such a test is proven anew without
 * it, or withdrawn where nothing is left to grade; until no task lists any.
 */
export async function shareQuarantine(context: CandidateContext, placement: Placement): Promise<void> {
  const { placed, restless } = placement
  const checked = new Set<string>()
  while (checked.size < restless.size) {
    const listing = await tasksListing(context, { placed, restless })
    for (const test of restless) checked.add(test)
    if (listing.length > 0) await reviseAll({ ...context, restless: new Set(restless) }, placement, listing)
  }
}

async function reviseAll(
  context: CandidateContext,
  placement: Placement,
  listing: readonly PlacedTask[],
): Promise<void> {
  const { config, options, emit } = context
  const { dataset, tally, placed, restless } = placement
  const message = `${listing.length} tasks list tests that moved in other tasks; proving them anew without these`
  emit({ type: 'notice', level: 'info', code: 'shared_quarantine', message })
  const work = ({ candidate }: PlacedTask) => processCandidate(context, candidate)
  for await (const settled of inOrder(each(listing), work, workersOf(context))) {
    options.signal.throwIfAborted()
    // a cap is no verdict on a task that stands
    if (isBudgetExhausted(settled.error)) throw settled.error
    const { id, title, end, task } = settled
    const before = placed.get(id)!
    const { taskId } = before.task
    // before the record: a run that is killed in between finds the task admitted, and comes here again
    if (!task) await dataset.withdraw(taskId)
    await record(context, { ...settled, revised: true }, end)
    if (task) placed.set(id, { ...before, task })
    else placed.delete(id)
    tally.revise(end)
    for (const test of settled.restless) restless.add(test)
    emit({ type: 'candidate-revised', id, title, taskId, end })
    if (task) await writeTask(context, dataset, task)
    if (end.state === 'failed' && end.fault === 'bug' && config.strict) throw settled.error
  }
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T, void> {
  yield* items
}

async function tasksListing(
  context: CandidateContext,
  { placed, restless }: Pick<Placement, 'placed' | 'restless'>,
): Promise<PlacedTask[]> {
  const found: PlacedTask[] = []
  for (const one of placed.values()) {
    const ids = await listedIds(context, one.task)
    if (ids.some((id) => restless.has(parametrisedTest(id)))) found.push(one)
  }
  return found
}

async function listedIds({ blobs }: CandidateContext, { files }: AdmittedTask): Promise<string[]> {
  const lists = files.filter(({ path }) => path === 'tests/f2p.json' || path === 'tests/p2p.json')
  const read = async ({ blob }: (typeof lists)[number]) => JSON.parse(decodeUtf8(await blobs.get(blob))) as string[]
  return (await Promise.all(lists.map(read))).flat()
}

/** Puts a task into the dataset, in place of what stands there under its name. */
export async function writeTask(context: CandidateContext, dataset: DatasetWriter, task: AdmittedTask): Promise<void> {
  const directory = await dataset.write(task, await taskFiles(context, task))
  const { taskId, failToPass, passToPass } = task
  context.emit({ type: 'task-written', taskId, directory, failToPass, passToPass })
}
