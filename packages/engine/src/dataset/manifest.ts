import { decodeUtf8, type JsonObject, type JsonValue } from '@r2e/spec'
import * as v from 'valibot'
import { readRegularFile } from './read-regular-file.ts'

const ManifestSchema = v.looseObject({
  dataset: v.string(),
  pipeline: v.string(),
  tasks: v.array(v.looseObject({ task_id: v.string() })),
})

export interface ManifestTask extends JsonObject {
  readonly task_id: string
}

/** `manifest.json` (contract §9). No clock and nothing measured. */
export interface Manifest extends JsonObject {
  readonly dataset: string
  /** Names of the pipelines, separated by a comma. */
  readonly pipeline: string
  readonly tasks: readonly ManifestTask[]
}

/** undefined where there is none or it cannot be read: what the tasks say themselves is then all there is. */
export async function readManifest(path: string): Promise<Manifest | undefined> {
  try {
    const parsed = v.safeParse(ManifestSchema, JSON.parse(decodeUtf8(await readRegularFile(path))))
    return parsed.success ? (parsed.output as unknown as Manifest) : undefined
  } catch {
    return undefined
  }
}

/** The new entry of a task; what the old one knew besides is kept as long as the task is the same, byte for byte. */
export function mergeEntry(old: ManifestTask | undefined, fresh: ManifestTask): ManifestTask {
  const known = old && old.bundle_hash === fresh.bundle_hash ? old : {}
  return sortKeys({ ...known, ...defined(fresh) }) as ManifestTask
}

export function defined(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined))
}

/** `task_id` first, the rest by name, so that the order never tells how an entry came about. */
function sortKeys({ task_id, ...rest }: JsonObject): JsonObject {
  const entries = Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1))
  return { task_id: task_id as JsonValue, ...Object.fromEntries(entries) }
}
