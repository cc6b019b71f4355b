import type { PlaceOptions, StoredEnvironment } from '@r2e/bootstrap'
import { userError } from '@r2e/spec'
import { composeBootstrap } from '../compose/bootstrap.ts'
import { environmentNamed, openStore } from '../compose/environment-store.ts'
import { cacheDirectoryOf, resolveBootstrap } from '../config/resolve-bootstrap.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { printable } from '../output/printable.ts'
import { showBootstrap } from './bootstrap.ts'
import type { CommandRequest, FlagValues } from './command.ts'

/** Proves the stored recipe again, from nothing. */
export async function run({ flags, operands }: CommandRequest, context: Context): Promise<number> {
  const store = await openStore(cacheDirectoryOf(flags, context))
  const environment = environmentNamed(await store.list(), operands[0]!)
  const stored = await store.recipe(environment.record.extra.key)
  if (!stored)
    throw userError('recipe_damaged', `the recipe of ${environment.id} is damaged or gone`, {
      fix: `r2e bootstrap --repo ${environment.record.extra.source} --ref ${environment.record.ref} makes it again`,
    })
  await using tools = await composeBootstrap(await resolveBootstrap(asTyped(environment, flags), context), context)
  const { makeEnvironment } = await import('@r2e/bootstrap')
  const recipe = { recipe: stored.recipe, strategy: stored.proof.strategy }
  const { record } = await showBootstrap(makeEnvironment({ ...tools, recipe }), context)
  if (!context.output.json) context.output.say(`verified ${printable(record.verify_detail)}`)
  return EXIT.ok
}

/** The flags with which the environment was made, those that were typed now above them. */
function asTyped({ record }: StoredEnvironment, typed: FlagValues): FlagValues {
  const { source, access, sandbox } = record.extra
  const options = record.extra.options as unknown as PlaceOptions
  const made: Record<string, string | readonly string[] | null | undefined> = {
    repo: source,
    ref: record.ref,
    access,
    sandbox,
    platform: options.platform,
    'base-image': options.base_image,
    'image-registry': options.image_registry,
    language: options.languages_hint,
    setup: options.setup,
    'test-cmd': options.test_cmd,
  }
  const given = Object.entries(made).filter((entry): entry is [string, string | readonly string[]] =>
    Boolean(entry[1]?.length),
  )
  return new Map([...given, ...typed])
}
