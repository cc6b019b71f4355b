import { join } from 'node:path'
import { decodeUtf8, userError } from '@r2e/spec'
import * as v from 'valibot'
import { readRegularFile } from './read-regular-file.ts'
import { replaceFile } from './replace-folder.ts'
import { isTaskId } from './task-id.ts'

const MARKER = '.r2e-dataset.json'

const MarkerSchema = v.object({
  schema: v.literal('r2e.dataset/1'),
  owners: v.array(v.object({ config: v.string(), tasks: v.array(v.pipe(v.string(), v.check(isTaskId))) })),
})

/** Which configuration wrote which tasks: only these may ever be replaced or removed. */
export type Marker = v.InferOutput<typeof MarkerSchema>

/** @throws R2eError `dataset_damaged` (fault user) */
export async function readMarker(directory: string): Promise<Marker | undefined> {
  const path = join(directory, MARKER)
  try {
    return v.parse(MarkerSchema, JSON.parse(decodeUtf8(await readRegularFile(path))))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw userError('dataset_damaged', `${path} cannot be read as the marker of a dataset`, {
      fix: 'Choose another --out, or remove that dataset.',
      cause,
    })
  }
}

export async function writeMarker(directory: string, marker: Marker): Promise<void> {
  await replaceFile(directory, MARKER, `${JSON.stringify(marker, null, 1)}\n`)
}

export function ownerOf(marker: Marker, taskId: string): string | undefined {
  return marker.owners.find((owner) => owner.tasks.includes(taskId))?.config
}

/** The marker with exactly these tasks under this configuration, and under no other. */
export function claim(marker: Marker, config: string, tasks: readonly string[]): Marker {
  const others = marker.owners
    .filter((owner) => owner.config !== config)
    .map((owner) => ({ ...owner, tasks: owner.tasks.filter((task) => !tasks.includes(task)) }))
    .filter((owner) => owner.tasks.length > 0)
  const owners = [...others, { config, tasks: [...tasks].sort() }]
  return { schema: 'r2e.dataset/1', owners: owners.sort((a, b) => (a.config < b.config ? -1 : 1)) }
}
