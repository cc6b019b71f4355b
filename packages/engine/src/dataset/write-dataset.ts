import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Digest, decodeUtf8, type JsonObject } from '@r2e/spec'
import { bundleHash } from '../render/bundle-hash.ts'
import { harborDatasetDigest, harborDigest } from '../render/harbor-digest.ts'
import { SPEC_VERSION } from '../render/task-toml.ts'
import type { Dataset } from './dataset.ts'
import { defined, type ManifestTask, mergeEntry, readManifest } from './manifest.ts'
import { claim, ownerOf, writeMarker } from './marker.ts'
import { readRegularFile } from './read-regular-file.ts'
import { readTask } from './read-task.ts'
import { removeFolder, replaceFile, sweepTemporary } from './replace-folder.ts'
import { exists, ownTasks } from './write-task.ts'

/** Folder beside the tasks. */
export const EVIDENCE = 'evidence'
const NOTE = 'What was measured lies in evidence/; paths in registry.json are relative to this folder.'

export interface DatasetContent {
  /** Tasks of this run, each written with `writeTask` before. */
  readonly tasks: readonly DatasetTask[]
  /** True where the run decided every candidate: its older tasks that are not among these are removed. */
  readonly complete: boolean
}

export interface DatasetTask {
  readonly taskId: string
  /** This task's entry of manifest.json; the digests are added here. */
  readonly manifest: JsonObject
  /** `evidence/<id>.json`: everything measured. */
  readonly evidence?: JsonObject | undefined
}

/**
 * Writes what lies beside the tasks: evidence, manifest.json, registry.json, the marker; and removes tasks that the
 * configuration owns and no longer makes. Equal tasks give equal bytes. Nothing is made where there is no task at all.
 */
export async function writeDataset(dataset: Dataset, content: DatasetContent): Promise<string | undefined> {
  const { directory } = dataset
  if (content.tasks.length === 0 && dataset.marker.owners.length === 0) return undefined
  const mine = content.tasks.filter(({ taskId }) => ownerOf(dataset.marker, taskId) === dataset.config)
  await removeStale(dataset, content, mine)
  const old = await readManifest(join(directory, 'manifest.json'))
  const entries = new Map(old?.tasks.map((task) => [task.task_id, task]))
  const standing = await stillThere(directory, [...entries.values()])
  const fresh: ManifestTask[] = []
  for (const task of mine) {
    const entry = mergeEntry(entries.get(task.taskId), await describeTask(directory, task))
    const sameTask = entries.get(task.taskId)?.bundle_hash === entry.bundle_hash
    if (task.evidence) await writeEvidence(directory, { ...task, evidence: task.evidence }, sameTask)
    fresh.push(entry)
  }
  const tasks = [...new Map([...standing, ...fresh].map((task) => [task.task_id, task])).values()]
  const others = tasks.length > fresh.length && old ? old.pipeline.split(', ') : []
  const pipeline = [...new Set([...others, dataset.pipeline])].sort().join(', ')
  await writeIndexes({ ...dataset, pipeline }, sortById(tasks))
  await writeMarker(directory, dataset.marker)
  await sweepTemporary(directory)
  return directory
}

function sortById(tasks: readonly ManifestTask[]): ManifestTask[] {
  return [...tasks].sort((a, b) => (a.task_id < b.task_id ? -1 : 1))
}

async function removeStale(dataset: Dataset, content: DatasetContent, mine: readonly DatasetTask[]): Promise<void> {
  const { directory, config, policy } = dataset
  const now = mine.map((task) => task.taskId)
  const foreign = dataset.marker.owners.filter((owner) => owner.config !== config)
  const replaced = policy === 'force' && content.complete ? foreign.flatMap((owner) => owner.tasks) : []
  const stale = content.complete ? ownTasks(dataset).filter((task) => !now.includes(task)) : []
  for (const task of [...stale, ...replaced]) {
    await removeFolder(directory, task)
    await rm(join(directory, EVIDENCE, `${task}.json`), { force: true })
  }
  const kept = content.complete ? now : [...new Set([...ownTasks(dataset), ...now])]
  const owners = replaced.length > 0 ? [] : dataset.marker.owners
  dataset.marker = claim({ ...dataset.marker, owners }, config, kept)
}

async function stillThere(directory: string, tasks: readonly ManifestTask[]): Promise<ManifestTask[]> {
  const present = await Promise.all(tasks.map((task) => exists(join(directory, task.task_id, 'task.toml'))))
  return tasks.filter((_, i) => present[i])
}

async function describeTask(directory: string, { taskId, manifest }: DatasetTask): Promise<ManifestTask> {
  const files = await readTask(join(directory, taskId))
  return { ...manifest, task_id: taskId, bundle_hash: bundleHash(files), harbor_digest: harborDigest(files) }
}

/** Richer evidence is never lost to poorer of the same task. */
async function writeEvidence(directory: string, task: DatasetTask, sameTask: boolean): Promise<void> {
  const path = join(EVIDENCE, `${task.taskId}.json`)
  const old = sameTask ? await readJson(join(directory, path)) : {}
  await replaceFile(directory, path, `${JSON.stringify({ ...old, ...defined(task.evidence!) }, null, 1)}\n`)
}

async function readJson(path: string): Promise<JsonObject> {
  try {
    return JSON.parse(decodeUtf8(await readRegularFile(path))) as JsonObject
  } catch {
    return {}
  }
}

async function writeIndexes({ directory, name, pipeline }: Dataset, tasks: readonly ManifestTask[]): Promise<void> {
  const digests = tasks.map((task) => String(task.harbor_digest) as Digest)
  const manifest = {
    dataset: name,
    pipeline,
    task_count: tasks.length,
    spec: SPEC_VERSION,
    note: NOTE,
    harbor_digest: harborDatasetDigest(digests),
    tasks,
  }
  const description = `${tasks.length} tasks (${pipeline})`
  const rows = tasks.map(({ task_id }) => ({ name: task_id, path: task_id }))
  const registry = [{ name, version: '1.0', description, tasks: rows }]
  await replaceFile(directory, 'manifest.json', `${JSON.stringify(manifest, null, 1)}\n`)
  await replaceFile(directory, 'registry.json', `${JSON.stringify(registry, null, 1)}\n`)
}
