import { ConfigSchema } from '@r2e/spec'
import type { Assignment } from './assignment.ts'
import { bare, entriesOf } from './shape.ts'

/** `R2E_SECTION__FIELD`, values at the top level as `R2E_SEED`, and the short form `R2E_CACHE_DIR`. */
export function environmentAssignments(
  environment: Readonly<Record<string, string | undefined>>,
): readonly Assignment[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith('R2E_') && environment[name] !== undefined && environment[name] !== '')
    .sort()
    .flatMap((name) => {
      const path = pathOf(name)
      return path ? [{ path, text: environment[name]!, origin: { kind: 'env', name } as const }] : []
    })
}

function pathOf(name: string): readonly string[] | undefined {
  if (name === 'R2E_CACHE_DIR') return ['bootstrap', 'cache_dir']
  const words = name.slice('R2E_'.length).toLowerCase().split('__')
  if (words.length > 1) return words
  return plainValues.has(words[0]!) ? words : undefined
}

const plainValues = new Set(
  Object.entries(entriesOf(ConfigSchema) ?? {}).flatMap(([key, schema]) => (bare(schema).entries ? [] : [key])),
)
