import { ConfigSchema, type RunConfig, userError } from '@r2e/spec'
import * as v from 'valibot'
import { BOOTSTRAP_FLAGS } from '../commands/bootstrap-flags.ts'
import type { FlagValues } from '../commands/command.ts'
import { languageNames } from '../compose/languages.ts'
import type { Context } from '../context.ts'
import { assignmentLayer } from './assignment.ts'
import { checkKeys } from './check-keys.ts'
import { checkValues } from './check-values.ts'
import { environmentAssignments } from './environment.ts'
import { flagAssignments } from './flag-assignments.ts'
import { mergeLayers } from './layer.ts'
import { nativePlatform, type Platform } from './native-platform.ts'
import { absolutePath, repositoryAddress } from './normalise.ts'
import { problemError } from './problem.ts'
import { checkEnvironmentRules, type EnvironmentConfig } from './rules.ts'

const { repo, llm, sandbox, bootstrap, auth, max_spend_usd, max_spend_tokens } = ConfigSchema.entries
const Schema = v.strictObject({ repo, llm, sandbox, bootstrap, auth, max_spend_usd, max_spend_tokens })

export interface ResolvedBootstrap {
  readonly config: EnvironmentConfig & Pick<RunConfig, 'max_spend_usd' | 'max_spend_tokens'>
  /** Absolute path of the `.r2e` folder. */
  readonly stateDirectory: string
  readonly platform: Platform
}

/** Flags over variables over defaults: the sections that making one environment needs. */
export async function resolveBootstrap(flags: FlagValues, context: Context): Promise<ResolvedBootstrap> {
  const variables = environmentAssignments(context.environment).filter(({ path }) => path[0]! in Schema.entries)
  const layers = [variables, flagAssignments(flags, BOOTSTRAP_FLAGS)].map((given) => assignmentLayer(given, Schema))
  const problems = layers.flatMap((layer) => checkKeys(layer, Schema))
  if (problems.length > 0) throw problemError(problems)
  const merged = mergeLayers(layers)
  const checked = checkValues(Schema, { repo: {}, ...merged.values }, { merged, prefix: [], flags: BOOTSTRAP_FLAGS })
  if (!checked.ok) throw problemError(checked.problems)
  const config = checked.output
  const languages = await languageNames()
  const broken = checkEnvironmentRules({ config, merged, languages, file: undefined })
  if (broken.length > 0) throw problemError(broken)
  if (config.sandbox.provider === 'none')
    throw userError('no_sandbox', 'an environment is proven by running it, and sandbox.provider is none', {
      fix: 'give --sandbox auto, docker or local',
    })
  const { cache_dir, languages_hint } = config.bootstrap
  const { rootfs } = config.sandbox
  const hints = languages_hint.map((alias) => languages.nameOf(alias) ?? alias)
  return {
    config: {
      ...config,
      repo: { ...config.repo, url: repositoryAddress(config.repo.url, context) },
      bootstrap: { ...config.bootstrap, languages_hint: hints, cache_dir: absolutePath(cache_dir, context) },
      sandbox: { ...config.sandbox, rootfs: rootfs && absolutePath(rootfs, context) },
    },
    stateDirectory: stateDirectoryOf(flags, context),
    platform: nativePlatform(config.bootstrap.platform),
  }
}

export function stateDirectoryOf(flags: FlagValues, context: Context): string {
  const state = flags.get('state-dir')
  return absolutePath(typeof state === 'string' ? state : '.r2e', context)
}

/** The folder of proven environments, of commands that read it alone. */
export function cacheDirectoryOf(flags: FlagValues, context: Context): string {
  const typed = flags.get('cache-dir')
  const { R2E_CACHE_DIR: short, R2E_BOOTSTRAP__CACHE_DIR: long } = context.environment
  return absolutePath(typeof typed === 'string' ? typed : short || long || './envs', context)
}
