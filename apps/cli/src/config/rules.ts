import type { Pipeline, RunConfig } from '@r2e/spec'
import type { LanguageNames } from '../compose/languages.ts'
import { nearest } from '../nearest.ts'
import { isMapping, type Merged, type Values } from './layer.ts'
import { isLocalPath, isShorthand } from './normalise.ts'
import { originText } from './origin.ts'
import type { Problem } from './problem.ts'

/** The sections that say which repository is read, and how an environment of it is made. */
export type EnvironmentConfig = Pick<RunConfig, 'repo' | 'auth' | 'llm' | 'sandbox' | 'bootstrap'>

export interface EnvironmentRuleInput {
  readonly config: EnvironmentConfig
  readonly merged: Merged
  readonly languages: LanguageNames
  /** What the file says. */
  readonly file: Values | undefined
}

type ModelSection = Omit<NonNullable<RunConfig['llm']>, 'fallback'> & { readonly fallback?: ModelSection | null }

export interface RuleInput extends EnvironmentRuleInput {
  readonly config: RunConfig
  readonly pipeline: Pipeline
}

type Rule<Input> = (input: Input) => readonly Problem[]

/** What no schema of one value can say. Runs on the written form, before short forms are expanded. */
export function checkRules(input: RuleInput): readonly Problem[] {
  return [...checkEnvironmentRules(input), ...rules.flatMap((rule) => rule(input))]
}

export function checkEnvironmentRules(input: EnvironmentRuleInput): readonly Problem[] {
  return environmentRules.flatMap((rule) => rule(input))
}

const environmentRules: readonly Rule<EnvironmentRuleInput>[] = [
  ({ config, merged }) => {
    const { url } = config.repo
    if (/^[a-z+]+:\/\/[^/]*@/i.test(url) && !/^ssh:\/\/[^:/@]+@/i.test(url)) {
      return [
        {
          code: 'secret_in_config',
          where: at(merged, 'repo.url'),
          message: 'repo.url carries a credential',
          fix: 'put the token into a variable and give its name as repo.auth_token_env',
        },
      ]
    }
    if (isLocalPath(url) || isShorthand(url) || /^[a-z+]+:\/\//i.test(url) || /^[^/]+:/.test(url)) return []
    return [
      {
        code: 'bad_repository',
        where: at(merged, 'repo.url'),
        message: `"${url}" is neither owner/name, nor a URL, nor a path`,
        fix: `did you mean ${/^[\w-]+(?:\.[\w-]+)+\/./.test(url) ? 'https://' : './'}${url}?`,
      },
    ]
  },
  ({ config, merged }) =>
    secretNames(config).flatMap(([path, name]) =>
      name === null || isVariableName(name)
        ? []
        : [
            {
              code: 'secret_in_config',
              where: at(merged, path),
              message: `${path} must be the name of an environment variable, not its value`,
              fix: 'put the secret into a variable, for instance in .env, and give the name',
            },
          ],
    ),
  ({ config, merged }) =>
    config.sandbox.rootfs !== null && ['docker', 'none'].includes(config.sandbox.provider)
      ? [
          {
            code: 'conflict',
            where: at(merged, 'sandbox.rootfs'),
            message: `sandbox.rootfs is for the local sandbox, and sandbox.provider is ${config.sandbox.provider}`,
            fix: 'give --sandbox local',
          },
        ]
      : [],
  ({ config, merged }) =>
    modelChain(config).flatMap(({ path, endpoint }) =>
      endpoint === null || isPlainAddress(endpoint)
        ? []
        : [
            {
              code: 'bad_endpoint',
              where: at(merged, `${path}.endpoint`),
              message: `${path}.endpoint must be the base URL alone: http or https, no credential, query or fragment`,
              fix: 'for instance http://localhost:8000/v1; the key goes into a variable, named by --llm-key-env',
            },
          ],
    ),
  foreignModelValues,
  ({ config, merged, languages }) =>
    config.bootstrap.languages_hint
      .filter((name) => languages.nameOf(name) === undefined)
      .map((name) => {
        const guess = nearest(name, languages.names)
        return {
          code: 'unknown_language',
          where: at(merged, 'bootstrap.languages_hint'),
          message: `there is no language "${name}"`,
          fix: guess ? `did you mean ${guess}?` : `known: ${languages.names.join(', ')}`,
        }
      }),
]

const rules: readonly Rule<RuleInput>[] = [
  ({ config, merged }) =>
    /^[a-z]+:\/\//i.test(config.output.destination)
      ? [
          {
            code: 'not_yet',
            where: at(merged, 'output.destination'),
            message: `${config.output.destination}: this version writes to folders only, publishing comes later`,
            fix: 'give a folder, for instance --out ./dataset',
          },
        ]
      : [],
  ({ config, merged }) =>
    config.output.append && config.output.force
      ? [
          {
            code: 'conflict',
            where: at(merged, 'output.force'),
            message: 'output.append keeps standing tasks and output.force replaces them',
            fix: 'give one of the two',
          },
        ]
      : [],
  ({ config, pipeline, merged }) =>
    config.sandbox.provider === 'none' && pipeline.needs.environment !== 'none'
      ? [
          {
            code: 'no_sandbox',
            where: at(merged, 'sandbox.provider'),
            message: `the pipeline ${pipeline.name} runs tests, and sandbox.provider is none`,
            fix: 'give --sandbox auto, docker or local',
          },
        ]
      : [],
]

function at(merged: Merged, path: string): string | undefined {
  const origin = merged.origins.get(path)
  return origin && originText(origin)
}

function secretNames(config: EnvironmentConfig): readonly (readonly [string, string | null])[] {
  return [
    ['repo.auth_token_env', config.repo.auth_token_env],
    ['auth.github_token_env', config.auth.github_token_env],
    ['auth.hf_token_env', config.auth.hf_token_env],
    ...modelChain(config).map(({ path, api_key_env }) => [`${path}.api_key_env`, api_key_env] as const),
  ]
}

/** The model and its fallbacks, each with its path. */
function modelChain({ llm }: Pick<RunConfig, 'llm'>): readonly (ModelSection & { readonly path: string })[] {
  const chain: (ModelSection & { readonly path: string })[] = []
  for (let section: ModelSection | null | undefined = llm; section; section = section.fallback)
    chain.push({ ...section, path: ['llm', ...chain.map(() => 'fallback')].join('.') })
  return chain
}

const FLAG_OF = { endpoint: '--llm-endpoint', api_key_env: '--llm-key-env', price: '--price' } as const

/** A file's price, endpoint and key belong to the model that it names; those of another are never used for it. */
function foreignModelValues({ config, merged, file }: EnvironmentRuleInput): readonly Problem[] {
  let written: unknown = file?.llm
  return modelChain(config).flatMap(({ path, provider, model }) => {
    const old = isMapping(written) ? written : {}
    written = old.fallback
    const keys = foreignKeys(old, { provider, model })
    return keys
      .filter((key) => merged.origins.get(`${path}.${key}`)?.kind === 'file')
      .map((key) => ({
        code: 'conflict',
        where: at(merged, `${path}.${key}`),
        message: `${path}.${key} is that of ${String(old.provider)}/${String(old.model ?? '')}, and the run has ${provider}/${model}`,
        fix: `give ${FLAG_OF[key]} for this model, or take the model of the file`,
      }))
  })
}

function foreignKeys(old: Values, now: { provider: string; model: string }): readonly (keyof typeof FLAG_OF)[] {
  if (old.provider === undefined) return []
  if (old.provider !== now.provider) return ['endpoint', 'api_key_env', 'price']
  return old.model !== undefined && old.model !== now.model ? ['price'] : []
}

const isPlainAddress = (text: string): boolean => URL.canParse(text) && /^https?:\/\/[^\\@?#]*$/i.test(text)

/** Keys of providers are long and mix cases and digits, which no name of a variable does. */
function isVariableName(name: string): boolean {
  if (/^(?:gh[a-z]_|github_pat_|glpat|hf_[A-Za-z0-9]{20}|sk_|gsk_|xai_|tgp_|AIza)/.test(name)) return false
  return /^(?:[A-Z_][A-Z0-9_]*|[a-z_]+(?:_[a-z0-9]{1,8})*|[A-Za-z_][A-Za-z0-9_]{0,23})$/.test(name)
}
