import { userError } from '@r2e/spec'
import type { FlagValues } from '../commands/command.ts'
import { cacheDirectoryOf, stateDirectoryOf } from '../config/resolve-bootstrap.ts'
import type { Context } from '../context.ts'
import { nearest } from '../nearest.ts'
import { type CacheArea, cacheAreas } from './cache-area.ts'

/** The caches of the folders that the flags name, or the one of this name. @throws R2eError `unknown_cache` */
export function openAreas(flags: FlagValues, name: string | undefined, context: Context): readonly CacheArea[] {
  const places = {
    stateDirectory: stateDirectoryOf(flags, context),
    cacheDirectory: cacheDirectoryOf(flags, context),
    context,
  }
  const areas = cacheAreas(places)
  if (name === undefined) return areas
  const found = areas.filter((area) => area.name === name)
  if (found.length > 0) return found
  const known = areas.map((area) => area.name)
  const guess = nearest(name, known)
  throw userError('unknown_cache', `there is no cache "${name}"`, {
    fix: guess ? `did you mean ${guess}?` : `one of: ${known.join(', ')}`,
  })
}
