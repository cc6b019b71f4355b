import { lstat, readdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { type R2eError, userError } from '@r2e/spec'
import { makeFolder, removeEmpty } from '../journal/make-folder.ts'
import { takeLock } from '../journal/process-lock.ts'
import { createDatasetWriter, type DatasetWriter } from './dataset-writer.ts'
import { type Marker, readMarker } from './marker.ts'
import { LOCK, sweepTemporary, TEMPORARY } from './replace-folder.ts'
import { EVIDENCE } from './write-dataset.ts'

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
 * Takes hold of a folder for one run, makes sure that a dataset may be written there, and removes what a killed run left
 * half-written in it. Where nothing is written, nothing is left.
 * @throws R2eError `output_not_a_dataset`, `output_of_another_configuration`, `dataset_damaged`, `dataset_locked`,
 * `not_permitted` (fault user)
 */
export async function openDataset(options: DatasetOptions): Promise<DatasetWriter> {
  const directory = resolve(options.directory)
  await readOwners(directory, options)
  const release = await hold(directory)
  try {
    const owners = await readOwners(directory, options)
    await sweepTemporary(directory)
    const { pipeline, configDigest: config, append, force } = options
    const policy = append ? 'append' : force ? 'force' : 'own'
    const marker = owners ?? { schema: 'r2e.dataset/1', owners: [] }
    const name = options.name ?? basename(directory)
    return createDatasetWriter({ directory, name, pipeline, config, policy, marker }, release)
  } catch (error) {
    await release()
    throw error
  }
}

/** Undefined where the folder is empty or absent. */
async function readOwners(directory: string, options: DatasetOptions): Promise<Marker | undefined> {
  const names = await listFolder(directory)
  const marker = names.length > 0 ? await readMarker(directory) : undefined
  if (!marker && names.some((name) => name !== TEMPORARY)) throw notADataset(directory, 'it holds other files')
  const foreign = marker?.owners.some((owner) => owner.config !== options.configDigest) ?? false
  if (foreign && !options.append && !options.force) throw ofAnotherConfiguration(directory)
  return marker
}

/** Answers how to let go, which also removes the folders that were made for nothing. */
async function hold(directory: string): Promise<() => Promise<void>> {
  const temporary = join(directory, TEMPORARY)
  for (const name of [TEMPORARY, EVIDENCE]) await refuseLink(join(directory, name))
  const made = await makeFolder(temporary)
  const unlock = await takeLock(join(temporary, LOCK))
  if (!unlock)
    throw userError('dataset_locked', `another process writes the dataset ${directory}`, {
      fix: `wait for it to end, or give another --out; where it ran in a container that is gone, remove ${join(temporary, LOCK)}`,
    })
  let released: Promise<void> | undefined
  const release = async () => {
    await unlock()
    await removeEmpty([temporary, ...made.filter((folder) => folder !== temporary)])
  }
  return () => (released ??= release())
}

/** A dataset may be anybody's: what is written and removed below its folders must not lie elsewhere. */
async function refuseLink(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined)
  if (found && !found.isDirectory())
    throw userError('dataset_damaged', `${path} is not a folder`, { fix: 'remove it, or give another --out' })
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
