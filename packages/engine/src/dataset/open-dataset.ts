import { readdir } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { type R2eError, userError } from '@r2e/spec'
import { createDatasetWriter, type DatasetWriter } from './dataset-writer.ts'
import { readMarker } from './marker.ts'
import { sweepTemporary, TEMPORARY } from './replace-folder.ts'

export interface DatasetOptions {
  readonly directory: string
  /** null: the last part of the directory. */
  readonly name: string | null
  readonly pipeline: string
  /** Digest of everything that decides which tasks a run makes. */
  readonly configDigest: string
  /** Keep the tasks of other configurations. */
  readonly append: boolean
  /** Replace the tasks of other configurations. */
  readonly force: boolean
}

/**
 * Says whether a dataset may be written here, and removes what a killed run left half-written in it.
 * @throws R2eError `output_not_a_dataset`, `output_of_another_configuration`, `dataset_damaged` (fault user)
 */
export async function openDataset(options: DatasetOptions): Promise<DatasetWriter> {
  const directory = resolve(options.directory)
  const policy = options.append ? 'append' : options.force ? 'force' : 'own'
  const names = await listFolder(directory)
  const marker = names.length > 0 ? await readMarker(directory) : undefined
  if (!marker && names.some((name) => name !== TEMPORARY)) throw notADataset(directory, 'it holds other files')
  const foreign = marker?.owners.some((owner) => owner.config !== options.configDigest) ?? false
  if (foreign && policy === 'own') throw ofAnotherConfiguration(directory)
  await sweepTemporary(directory)
  return createDatasetWriter({
    directory,
    name: options.name ?? basename(directory),
    pipeline: options.pipeline,
    config: options.configDigest,
    policy,
    marker: marker ?? { schema: 'r2e.dataset/1', owners: [] },
  })
}

async function listFolder(directory: string): Promise<string[]> {
  try {
    return await readdir(directory)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return []
    if (code === 'ENOTDIR') throw notADataset(directory, 'it is a file')
    throw error
  }
}

function notADataset(directory: string, reason: string): R2eError {
  return userError('output_not_a_dataset', `${directory} is not a dataset of this tool: ${reason}`, {
    fix: 'Give --out an empty or new folder.',
  })
}

function ofAnotherConfiguration(directory: string): R2eError {
  return userError('output_of_another_configuration', `${directory} holds a dataset of another configuration`, {
    fix: 'Give --append to keep its tasks, --force to replace them, or another --out.',
  })
}
