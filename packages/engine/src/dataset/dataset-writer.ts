import { join } from 'node:path'
import type { FileEntry } from '@r2e/spec'
import type { Dataset } from './dataset.ts'
import { removeFolder } from './replace-folder.ts'
import { type DatasetTask, writeDataset } from './write-dataset.ts'
import { writeTask } from './write-task.ts'

/** One run's hold on a dataset. Calls come one after another. */
export interface DatasetWriter extends AsyncDisposable {
  /** Puts a task in its place, whole or not at all; answers its directory. */
  write(task: DatasetTask, files: readonly FileEntry[]): Promise<string>
  /** Takes back a task that was written before. */
  withdraw(taskId: string): Promise<void>
  /**
   * Writes manifest, registry and evidence. `complete`: every candidate was decided, so that older tasks of this
   * configuration that were not written now are removed. Answers the directory, or undefined where nothing stands.
   * Lets go of the dataset, as disposing does.
   */
  finish(options: { readonly complete: boolean }): Promise<string | undefined>
}

export function createDatasetWriter(dataset: Dataset, release: () => Promise<void>): DatasetWriter {
  const tasks = new Map<string, DatasetTask>()
  return {
    async write(task, files) {
      const outcome = await writeTask(dataset, task.taskId, files)
      const { taskId, manifest, evidence } = task
      if (outcome !== 'kept') tasks.set(taskId, { taskId, manifest, evidence })
      return join(dataset.directory, taskId)
    },
    async withdraw(taskId) {
      if (tasks.delete(taskId)) await removeFolder(dataset.directory, taskId)
    },
    async finish({ complete }) {
      try {
        return await writeDataset(dataset, { tasks: [...tasks.values()], complete })
      } finally {
        await release()
      }
    },
    [Symbol.asyncDispose]: release,
  }
}
