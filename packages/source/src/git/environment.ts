/** The variables of a process, handed in by the caller: this package reads none by itself. */
export type Environment = Readonly<Record<string, string | undefined>>

export const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin'

/** Of the variables that steer git, those that a fetch needs to reach a host at all. */
const FETCH_VARIABLES =
  /^GIT_(SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS|PROXY_COMMAND|SSL_.*|HTTP_.*|CONFIG_.*|CURL_VERBOSE)$/

const ALWAYS = {
  LC_ALL: 'C',
  TZ: 'UTC',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_ATTR_NOSYSTEM: '1',
} as const

/** For reading objects: no configuration of the machine or the user, and no protocol to fetch by. */
export function readingEnvironment(environment: Environment): Record<string, string> {
  return {
    PATH: environment.PATH ?? DEFAULT_PATH,
    ...ALWAYS,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ALLOW_PROTOCOL: 'none',
  }
}

/** A header that git sends to URLs below `base` only. */
export interface AuthorizationHeader {
  readonly base: string
  readonly header: string
}

/**
 * For fetching: the user's own configuration stays, since proxies, certificates and credential helpers live there. A
 * credential travels as configuration in the environment, so it is in no argument list and in no file.
 */
export function fetchingEnvironment(environment: Environment, authorization?: AuthorizationHeader) {
  const kept: Record<string, string> = { PATH: DEFAULT_PATH }
  for (const [name, value] of Object.entries(environment))
    if (value !== undefined && (!name.startsWith('GIT_') || FETCH_VARIABLES.test(name))) kept[name] = value
  Object.assign(kept, ALWAYS, { GIT_ALLOW_PROTOCOL: 'https:http:ssh:git' })
  if (authorization === undefined) return kept
  const count = Number(kept.GIT_CONFIG_COUNT ?? 0) || 0
  kept[`GIT_CONFIG_KEY_${count}`] = `http.${authorization.base}.extraHeader`
  kept[`GIT_CONFIG_VALUE_${count}`] = authorization.header
  kept.GIT_CONFIG_COUNT = String(count + 1)
  return kept
}
