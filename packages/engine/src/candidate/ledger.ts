import { join } from 'node:path'
import { type CandidateEnd, encodeUtf8, type FileEntry } from '@r2e/spec'
import { writeDurably } from '../journal/write-durably.ts'
import { type AdmittedTask, type CandidateContext, candidateDirectory, type Settled } from './context.ts'

/**
 * Puts a candidate's end on record: its folder with verdict and evidence first, then the line in the journal that makes
 * it settled. What discovery left out is written in the journal alone.
 */
export async function record(context: CandidateContext, settled: Settled, end: CandidateEnd): Promise<void> {
  const { id, title, task, revised } = settled
  const result = task && end.state === 'admitted' && (await context.blobs.put(encodeUtf8(JSON.stringify(task))))
  if (settled.found) {
    const verdict = {
      id,
      title,
      end,
      evidence: task?.evidence ?? settled.evidence ?? {},
      error: stackOf(settled.error),
    }
    const path = join(candidateDirectory(context, id), 'verdict.json')
    await writeDurably(path, `${JSON.stringify(verdict, null, 2)}\n`)
  }
  const { journal } = context.directory
  const restless = [...new Set([...(journal.settled.get(id)?.restless ?? []), ...settled.restless])].sort()
  const more = { ...(restless.length > 0 && { restless }), ...(revised && { revised }) }
  await journal.append({ id, title, end, ...(result && { result }), ...more })
}

const stackOf = (error: unknown) => (error instanceof Error ? error.stack : undefined)

/**
 * The end that the journal holds, unless it was a transient failure or the task's blobs are lost or damaged: such a
 * candidate is tried again.
 */
export async function replay(context: CandidateContext, id: string): Promise<Settled | undefined> {
  const known = context.directory.journal.settled.get(id)
  if (!known || (known.end.state === 'failed' && known.end.fault === 'transient')) return undefined
  const { title, end, result, revised, restless = [] } = known
  const task = result === undefined ? undefined : await readTask(context, result).catch(() => undefined)
  if (end.state === 'admitted' && !task) return undefined
  return { id, title, end, task, replayed: true, found: true, revised, restless }
}

async function readTask(context: CandidateContext, blob: string): Promise<AdmittedTask> {
  const task = JSON.parse(new TextDecoder().decode(await context.blobs.get(blob))) as AdmittedTask
  await taskFiles(context, task)
  return task
}

export async function taskFiles(context: CandidateContext, task: AdmittedTask): Promise<readonly FileEntry[]> {
  return Promise.all(
    task.files.map(async ({ path, mode, blob }) => ({ path, mode, content: await context.blobs.get(blob) })),
  )
}
