import type { StoredEnvironment } from '@r2e/bootstrap'
import { userError } from '@r2e/spec'
import { environmentsNamed, openStore } from '../compose/environment-store.ts'
import { forgetEnvironment } from '../compose/forget-environment.ts'
import { parseAge } from '../config/parse-age.ts'
import { cacheDirectoryOf, stateDirectoryOf } from '../config/resolve-bootstrap.ts'
import { resolveSandbox } from '../config/resolve-section.ts'
import type { Context } from '../context.ts'
import { jsonLine } from '../output/json-line.ts'
import { printable } from '../output/printable.ts'
import type { CommandRequest, FlagValues } from './command.ts'

export async function run({ flags, operands }: CommandRequest, context: Context): Promise<number> {
  const { output } = context
  const store = await openStore(cacheDirectoryOf(flags, context))
  const all = await store.list()
  const chosen = choose(all, { flags, name: operands[0], now: context.now().getTime() })
  const dryRun = flags.has('dry-run')
  const { rootfs } = resolveSandbox(flags, context)
  const stateDirectory = stateDirectoryOf(flags, context)
  for (const environment of chosen) {
    if (!dryRun) await forgetEnvironment(environment, { store, stateDirectory, rootfs, context })
    if (!output.json) output.progress(`${dryRun ? 'would go' : 'removed '} ${printable(environment.id)}`)
  }
  const recipes = dryRun ? 0 : await store.removeUnused()
  const ids = chosen.map(({ id }) => id)
  if (output.json) output.result(jsonLine({ dry_run: dryRun, removed: ids, recipes }))
  else output.say(`${ids.length} of ${all.length} environments ${dryRun ? 'would go' : 'removed'}`)
  return 0
}

interface Choice {
  readonly flags: FlagValues
  readonly name: string | undefined
  readonly now: number
}

function choose(all: readonly StoredEnvironment[], { flags, name, now }: Choice): readonly StoredEnvironment[] {
  const age = flags.get('older-than')
  if (name === undefined && age === undefined && !flags.has('all'))
    throw userError('missing_value', 'nothing says which environments go', {
      fix: 'name one, or give --older-than 30d, or --all',
    })
  const named = name === undefined ? all : environmentsNamed(all, name)
  if (typeof age !== 'string') return named
  const before = now - parseAge(age, '--older-than')
  return named.filter(({ usedAt }) => usedAt < before)
}
