import type { EnvironmentStore, StoredEnvironment } from '@r2e/bootstrap'
import { userError } from '@r2e/spec'
import { environmentsNamed, openStore } from '../compose/environment-store.ts'
import { createProvider } from '../compose/sandboxes.ts'
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
  for (const environment of chosen) {
    if (!dryRun) await forget(store, environment, { all, chosen, flags, context })
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

interface Forgetting {
  readonly all: readonly StoredEnvironment[]
  readonly chosen: readonly StoredEnvironment[]
  readonly flags: FlagValues
  readonly context: Context
}

/** The image goes too, unless an environment that stays has the same. */
async function forget(
  store: EnvironmentStore,
  environment: StoredEnvironment,
  { all, chosen, flags, context }: Forgetting,
): Promise<void> {
  const { image_tag, extra } = environment.record
  const shared = all.some((other) => !chosen.includes(other) && other.record.image_tag === image_tag)
  if (!shared)
    try {
      const { rootfs } = resolveSandbox(flags, context)
      const settings = { rootfs, stateDirectory: stateDirectoryOf(flags, context), context }
      await (await createProvider(extra.sandbox === 'local' ? 'local' : 'docker', settings)).remove(image_tag)
    } catch (error) {
      context.output.warn(`warning: the image ${printable(image_tag)} stays: ${printable((error as Error).message)}`)
    }
  await store.remove(environment)
}
