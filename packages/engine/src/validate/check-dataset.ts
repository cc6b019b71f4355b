import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Digest, decodeUtf8 } from '@r2e/spec'
import { type Manifest, type ManifestTask, readManifest } from '../dataset/manifest.ts'
import { readRegularFile } from '../dataset/read-regular-file.ts'
import { exists } from '../dataset/write-task.ts'
import { bundleHash } from '../render/bundle-hash.ts'
import { harborDatasetDigest, harborDigest } from '../render/harbor-digest.ts'
import { error, type Finding, warning } from './finding.ts'
import type { TaskFiles } from './task-files.ts'
import type { TaskToml } from './task-toml.ts'

/** What a dataset needs of a task; its files are let go, since all of a dataset may not fit into memory. */
export interface CheckedTask {
  readonly directory: string
  readonly bundleHash: Digest
  readonly harborDigest: Digest
  readonly toml: TaskToml | undefined
}

export function describeTask(directory: string, task: TaskFiles, toml: TaskToml | undefined): CheckedTask {
  return { directory, toml, bundleHash: bundleHash(task.files), harborDigest: harborDigest(task.files) }
}

/** One dataset: its manifest and registry against the tasks that lie in it, and the tasks against each other. */
export async function checkDataset(directory: string, tasks: readonly CheckedTask[]): Promise<Finding[]> {
  const findings = checkNames(directory, tasks)
  const manifest = await readManifest(join(directory, 'manifest.json'))
  const names = await readdir(directory)
  if (!manifest && names.includes('manifest.json'))
    return [...findings, error('manifest_invalid', 'manifest.json cannot be read as a manifest')]
  if (!manifest) return findings
  return [
    ...findings,
    ...(await checkManifest(directory, manifest, tasks)),
    ...(await checkRegistry(directory, manifest)),
  ]
}

/** Tasks of one dataset, by the folder they lie in. */
export function groupByFolder(tasks: readonly CheckedTask[]): ReadonlyMap<string, readonly CheckedTask[]> {
  return Map.groupBy(tasks, (task) => dirname(task.directory))
}

/** Whether the manifest beside a task knows it byte for byte. */
export async function isVouchedFor(directory: string, task: TaskFiles): Promise<boolean> {
  const manifest = await readManifest(join(dirname(directory), 'manifest.json'))
  const entry = manifest?.tasks.find(({ task_id }) => task_id === basename(directory))
  return entry !== undefined && entry.bundle_hash === bundleHash(task.files)
}

function checkNames(directory: string, tasks: readonly CheckedTask[]): Finding[] {
  const byName = Map.groupBy(tasks, ({ toml }) => toml?.task?.name?.toLowerCase())
  const twins = [...byName].filter(([name, same]) => name !== undefined && same.length > 1)
  const findings = twins.map(([name, same]) =>
    error('name_twice', `${same.map((task) => basename(task.directory)).join(' and ')} are both named ${name}`),
  )
  if (tasks.length > 1 && basename(directory).includes('__'))
    findings.push(warning('dataset_name', `${basename(directory)}: some Harbor versions split dataset names at "__"`))
  return findings
}

/** Of a dataset that was asked for in part, only the tasks that were read are held against the manifest. */
async function checkManifest(directory: string, manifest: Manifest, tasks: readonly CheckedTask[]): Promise<Finding[]> {
  const byId = new Map(tasks.map((task) => [basename(task.directory), task]))
  const findings: Finding[] = []
  for (const entry of manifest.tasks) {
    const task = byId.get(entry.task_id)
    byId.delete(entry.task_id)
    if (task) findings.push(...checkEntry(entry, task))
    else if (!(await exists(join(directory, entry.task_id, 'task.toml'))))
      findings.push(error('task_absent', `manifest.json lists ${entry.task_id}, which is not there`))
  }
  for (const id of byId.keys()) findings.push(warning('task_unlisted', `${id} is not in manifest.json`))
  return [...findings, ...checkTotals(manifest)]
}

function checkTotals({ task_count, harbor_digest, tasks }: Manifest): Finding[] {
  const findings: Finding[] = []
  if (task_count !== tasks.length)
    findings.push(error('task_count', `manifest.json counts ${task_count} tasks and lists ${tasks.length}`))
  const digests = tasks.map((entry) => String(entry.harbor_digest) as Digest)
  if (harbor_digest !== undefined && harbor_digest !== harborDatasetDigest(digests))
    findings.push(error('dataset_digest', 'manifest.json: harbor_digest is not that of its tasks'))
  return findings
}

function checkEntry(entry: ManifestTask, { bundleHash, harborDigest, toml }: CheckedTask): Finding[] {
  const calibration = toml?.metadata?.repo2env?.reward_calibration
  const facts = {
    bundle_hash: bundleHash,
    harbor_digest: harborDigest,
    f2p_count: calibration?.f2p_count ?? 0,
    p2p_count: calibration?.p2p_count ?? 0,
  }
  return Object.entries(facts)
    .filter(([key, value]) => entry[key] !== undefined && entry[key] !== value)
    .map(([key, value]) => error(key, `${entry.task_id}: ${key} is ${value}, manifest.json says ${entry[key]}`))
}

async function checkRegistry(directory: string, manifest: Manifest): Promise<Finding[]> {
  const listed = new Set(manifest.tasks.map((task) => task.task_id))
  try {
    const [dataset] = JSON.parse(decodeUtf8(await readRegularFile(join(directory, 'registry.json'))))
    const paths: string[] = dataset.tasks.map((task: { path: string }) => basename(task.path))
    const wrong = paths.filter((path) => !listed.has(path))
    if (wrong.length === 0 && paths.length === listed.size) return []
    return [error('registry_differs', 'registry.json and manifest.json do not list the same tasks')]
  } catch {
    return [error('registry_invalid', 'registry.json is missing or cannot be read')]
  }
}
