import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { userError } from '@r2e/spec'
import type { CacheArea, CacheEntry } from '../cache/cache-area.ts'
import { openAreas } from '../cache/open-areas.ts'
import { parseAge } from '../config/parse-age.ts'
import { parseSize, sizeText } from '../config/parse-size.ts'
import { stateDirectoryOf } from '../config/resolve-bootstrap.ts'
import type { Context } from '../context.ts'
import { jsonLine } from '../output/json-line.ts'
import { printable } from '../output/printable.ts'
import type { CommandRequest, FlagValues } from './command.ts'

/** Layers are shared, and only their sandbox knows which are needed: without an age, unused ones of this age go. */
const UNUSED_LAYERS_MS = 6 * 3_600_000

export async function run({ flags, operands }: CommandRequest, context: Context): Promise<number> {
  const { output } = context
  const limits = limitsOf(flags, context)
  const dryRun = flags.has('dry-run')
  const areas = openAreas(flags, operands[0], context)
  if (!dryRun) await requireNoRun(stateDirectoryOf(flags, context))
  const all = await listAll(areas)
  // What environments take is their images, which are not counted: they go by their age, unless they alone are meant.
  const isSized = ({ area }: Listed) => operands.length > 0 || area.name !== 'environments'
  const removed = chooseGoing(all, { ...limits, isSized })
  for (const { area, entry } of removed) {
    if (!dryRun) await entry.remove()
    if (output.verbose && !output.json)
      output.say(`${dryRun ? 'would go' : 'removed '} ${area.name} ${printable(entry.name)}`)
  }
  const layers = dryRun ? 0 : await pruneOwned(areas, limits.olderThanMs ?? UNUSED_LAYERS_MS)
  const bytes = sumOf(removed)
  if (output.json) {
    const rows = removed.map(({ area, entry }) => ({ cache: area.name, name: entry.name, bytes: entry.bytes }))
    output.result(jsonLine({ dry_run: dryRun, bytes, layers, removed: rows }))
  } else {
    const also = layers > 0 ? `, and ${layers} layers` : ''
    const done = dryRun ? 'would go' : 'removed'
    output.say(`${removed.length} of ${all.length} entries ${done}, ${sizeText(bytes)}${also}`)
  }
  return 0
}

interface Listed {
  readonly area: CacheArea
  readonly entry: CacheEntry
}

interface Limits {
  readonly olderThanMs: number | undefined
  /** What was used before it is old; milliseconds since 1970. */
  readonly before: number
  readonly maxBytes: number
}

function limitsOf(flags: FlagValues, context: Context): Limits {
  const [age, size] = [flags.get('older-than'), flags.get('max-size')]
  if (age === undefined && size === undefined)
    throw userError('missing_value', 'nothing says what goes', {
      fix: 'give --older-than 30d, or --max-size 10G, or both',
    })
  const olderThanMs = typeof age === 'string' ? parseAge(age, '--older-than') : undefined
  return {
    olderThanMs,
    before: olderThanMs === undefined ? 0 : context.now().getTime() - olderThanMs,
    maxBytes: typeof size === 'string' ? parseSize(size, '--max-size') : Number.POSITIVE_INFINITY,
  }
}

/** Everything that goes entry by entry. */
async function listAll(areas: readonly CacheArea[]): Promise<readonly Listed[]> {
  const listed = areas
    .filter(({ prune }) => !prune)
    .map(async (area) => (await area.entries()).map((entry) => ({ area, entry })))
  return (await Promise.all(listed)).flat()
}

/** What was not used for so long; then, while the rest is too large, what was used longest ago. */
function chooseGoing(
  all: readonly Listed[],
  { before, maxBytes, isSized }: Limits & { readonly isSized: (listed: Listed) => boolean },
): readonly Listed[] {
  const old = all.filter(({ entry }) => entry.usedAt < before)
  const rest = all.filter((listed) => !old.includes(listed) && isSized(listed))
  let bytes = sumOf(rest)
  const more: Listed[] = []
  for (const listed of rest.toSorted((a, b) => a.entry.usedAt - b.entry.usedAt)) {
    if (bytes <= maxBytes) break
    more.push(listed)
    bytes -= listed.entry.bytes
  }
  return [...old, ...more]
}

const sumOf = (listed: readonly Listed[]) => listed.reduce((sum, { entry }) => sum + entry.bytes, 0)

async function pruneOwned(areas: readonly CacheArea[], olderThanMs: number): Promise<number> {
  let removed = 0
  for (const area of areas)
    if (area.prune && (await area.entries()).length > 0) removed += await area.prune(olderThanMs)
  return removed
}

/** A run relies on what it has just stored. @throws R2eError `run_locked` */
async function requireNoRun(stateDirectory: string): Promise<void> {
  const { takeLock } = await import('@r2e/engine')
  const runs = join(stateDirectory, 'runs')
  for (const run of await readdir(runs).catch(() => [])) {
    const release = await takeLock(join(runs, run, 'lock')).catch(() => async () => {})
    if (!release)
      throw userError('run_locked', `the run ${run} is under way`, { fix: 'wait for it to end, or stop it' })
    await release()
  }
}
