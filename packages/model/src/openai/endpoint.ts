import { userError } from '@r2e/spec'
import { nearNames } from './near-names.ts'
import { PRESETS, type Preset } from './presets.ts'

/** Which model, where, and by which key; what a configuration says. */
export interface EndpointOptions {
  /** A preset, or any word where `endpoint` is given. */
  readonly provider: string
  readonly model: string
  /** Base URL of an OpenAI-compatible endpoint; default: that of the preset. */
  readonly endpoint?: string | null | undefined
  /** Name of the variable that holds the key; default: that of the preset, at the preset's own endpoint alone. */
  readonly apiKeyEnv?: string | null | undefined
  /** Where the variable is looked up. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

export interface Endpoint {
  /** `provider/model` */
  readonly name: string
  readonly model: string
  /** Without a slash at the end, a query or credentials. */
  readonly url: string
  readonly key: EndpointKey | undefined
  readonly keepsExtra: boolean
}

interface EndpointKey {
  readonly variable: string
  readonly value: string
}

/** @throws R2eError `unknown_provider`, `bad_endpoint`, `no_model_key` */
export function resolveEndpoint(options: EndpointOptions): Endpoint {
  const { provider, model, endpoint } = options
  const preset = Object.hasOwn(PRESETS, provider) ? PRESETS[provider] : undefined
  if (!preset && !endpoint) throw unknownProvider(provider)
  const url = parseUrl(endpoint ?? preset!.endpoint)
  const variable = options.apiKeyEnv ?? (preset && belongsTo(url, preset) ? preset.apiKeyEnv : undefined)
  return {
    name: `${provider}/${model}`,
    model,
    url,
    key: variable === undefined ? undefined : { variable, value: readKey(variable, options) },
    keepsExtra: preset?.keepsExtra ?? false,
  }
}

/** A key of one provider is never sent to the host of another unless it is named for it. */
function belongsTo(url: string, preset: Preset): boolean {
  return new URL(url).origin === new URL(preset.endpoint).origin
}

function parseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const bad = (reason: string) =>
    userError('bad_endpoint', `the model endpoint ${url ? url.origin : 'that is given'} ${reason}`, {
      fix: 'give the base URL alone, for instance http://localhost:8000/v1',
    })
  if (!url || !/^https?:$/.test(url.protocol)) throw bad('is no URL of http or https')
  if (url.username !== '' || url.password !== '')
    throw bad('carries a credential: name its variable as the key instead')
  if (url.search !== '' || url.hash !== '') throw bad('has a query or a fragment')
  return `${url.origin}${url.pathname.replace(/\/(chat\/completions\/?)?$/, '')}`.replace(/\/+$/, '')
}

function readKey(variable: string, { provider, environment }: EndpointOptions): string {
  const value = environment[variable]?.trim() ?? ''
  if (value === '' && !looksLikeName(variable))
    throw userError('no_model_key', `the variable that is named for the key of ${provider} is not set`, {
      fix: 'name the variable that holds the key, and not the key itself: --llm-key-env NAME',
    })
  if (value === '')
    throw userError('no_model_key', `${provider} needs a key, and the variable ${variable} is not set`, {
      fix: `set ${variable}, for instance in .env, or name another variable: --llm-key-env NAME`,
    })
  if (!/^[\x21-\x7e]+$/.test(value))
    throw userError('no_model_key', `the variable ${variable} holds blanks or characters that no key has`, {
      fix: `set ${variable} to the key alone`,
    })
  return value
}

/** Whoever writes the key where its name belongs shall not find it in a log. */
const looksLikeName = (text: string): boolean => /^(?:[A-Z_][A-Z0-9_]*|[A-Za-z_]\w{0,15})$/.test(text)

function unknownProvider(provider: string): Error {
  const names = Object.keys(PRESETS)
  const [guess] = nearNames(provider, names)
  return userError('unknown_provider', `there is no provider "${provider}"`, {
    fix: `${guess ? `did you mean ${guess}? ` : ''}Known: ${names.join(', ')}; any other with --llm-endpoint URL`,
  })
}
