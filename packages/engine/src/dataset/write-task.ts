import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { type FileEntry, R2eError, userError } from '@r2e/spec'
import { bundleHash } from '../render/bundle-hash.ts'
import type { Dataset } from './dataset.ts'
import { claim, ownerOf, writeMarker } from './marker.ts'
import { readTask } from './read-task.ts'
import { replaceFolder } from './replace-folder.ts'
import { isTaskId } from './task-id.ts'

/**
 * Writes one task directory, whole or not at all. `unchanged`: the same bytes stand there already; `kept`: the task
 * belongs to another configuration and this run appends.
 * @throws R2eError `task_exists` (fault user) where a folder stands that no run of this tool wrote.
 */
export async function writeTask(
  dataset: Dataset,
  taskId: string,
  files: readonly FileEntry[],
): Promise<'written' | 'unchanged' | 'kept'> {
  if (!isTaskId(taskId)) throw new R2eError('task_id_invalid', 'bug', `${JSON.stringify(taskId)} cannot name a task`)
  const owner = ownerOf(dataset.marker, taskId)
  if (owner !== undefined && owner !== dataset.config && dataset.policy === 'append') return 'kept'
  const place = join(dataset.directory, taskId)
  const stands = await exists(place)
  if (stands && owner === undefined) throw taskExists(place)
  if (owner !== dataset.config) await register(dataset, taskId)
  if (stands && bundleHash(await readTask(place)) === bundleHash(files)) return 'unchanged'
  await replaceFolder(dataset.directory, taskId, files)
  return 'written'
}

/** Before the folder appears, so that a run that is killed in between still owns it. */
async function register(dataset: Dataset, taskId: string): Promise<void> {
  dataset.marker = claim(dataset.marker, dataset.config, [...ownTasks(dataset), taskId])
  await writeMarker(dataset.directory, dataset.marker)
}

export function ownTasks({ marker, config }: Dataset): readonly string[] {
  return marker.owners.find((owner) => owner.config === config)?.tasks ?? []
}

export async function exists(place: string): Promise<boolean> {
  return lstat(place).then(
    () => true,
    () => false,
  )
}

function taskExists(place: string): R2eError {
  return userError('task_exists', `${place} stands in the way of a task and was not written by this tool`, {
    fix: 'Move it away, or give another --out.',
  })
}
