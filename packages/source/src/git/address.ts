import { homedir } from 'node:os'
import { basename, dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where a repository is, read from the text the user wrote (contract §2, RepoSpec). */
export type Address = LocalAddress | RemoteAddress

export interface LocalAddress {
  readonly kind: 'local'
  readonly path: string
  readonly owner: 'local'
  readonly name: string
  readonly url: string
}

export interface RemoteAddress {
  readonly kind: 'remote'
  /** What git fetches; never holds a credential. */
  readonly fetchUrl: string
  /** `user:password` as the URL held it, decoded; sent to this host only, and never printed. */
  readonly credential: string | undefined
  readonly owner: string
  readonly name: string
  /** The address as printed: `https://host/owner/name`, or `http://…` where that was written. */
  readonly url: string
}

const SCHEMES = new Set(['https:', 'http:', 'ssh:', 'git:', 'git+ssh:', 'ssh+git:'])
const SCP_LIKE = /^(?:([\w.+-]+)@)?([A-Za-z0-9][A-Za-z0-9.-]*):(?!\/\/)([^:].*)$/
const SHORT = /^[A-Za-z0-9][\w.-]*\/[\w.-]+$/

/** @throws Error when a `file:` or remote URL is malformed. */
export function parseAddress(text: string): Address {
  if (text.startsWith('file:')) return localAddress(fileURLToPath(text))
  if (text === '~' || text.startsWith('~/')) return localAddress(resolve(homedir(), text.slice(2)))
  if (text.includes('://')) return remoteAddress(new URL(text))
  if (SHORT.test(text) && !text.startsWith('./') && !text.startsWith('../'))
    return remoteAddress(new URL(`https://github.com/${text}`))
  const scp = SCP_LIKE.exec(text)
  if (scp !== null && !text.startsWith('/') && !text.startsWith('.')) return scpAddress(scp)
  return localAddress(resolve(text))
}

function localAddress(path: string): LocalAddress {
  const folder = basename(path) === '.git' ? dirname(path) : path
  const name = safeName(basename(folder).replace(/\.git$/, ''))
  return { kind: 'local', path, owner: 'local', name, url: `local/${name}` }
}

function remoteAddress(url: URL): RemoteAddress {
  if (!SCHEMES.has(url.protocol)) throw new Error(`git URLs of scheme ${url.protocol} are not supported`)
  const user = decodeURIComponent(url.username)
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  const credential = isWeb && user !== '' ? `${user}:${decodeURIComponent(url.password)}` : undefined
  const segments = pathSegments(url.pathname)
  url.password = ''
  if (isWeb) url.username = ''
  url.search = ''
  url.hash = ''
  if (isWeb) url.pathname = segments.join('/')
  const host = isWeb ? url.host : url.hostname
  const scheme = url.protocol === 'http:' ? 'http' : 'https'
  return { kind: 'remote', fetchUrl: url.href, credential, ...nameFrom(host, segments, scheme) }
}

function scpAddress([text, , host = '', path = '']: RegExpExecArray): RemoteAddress {
  return { kind: 'remote', fetchUrl: text, credential: undefined, ...nameFrom(host, pathSegments(path), 'https') }
}

function nameFrom(host: string, segments: readonly string[], scheme: string) {
  const last = segments.at(-1)
  if (last === undefined) throw new Error(`a git URL names a repository after the host ${host}`)
  const owner = safeName(segments.at(-2) ?? host)
  return { owner, name: safeName(last), url: `${scheme}://${host}/${segments.join('/')}` }
}

/** Empty segments and a closing `.git` left out. */
function pathSegments(path: string): string[] {
  const segments = path.split('/').filter((segment) => segment !== '')
  const last = segments.pop()?.replace(/\.git$/, '')
  return last === undefined || last === '' ? segments : [...segments, last]
}

/** A name that is one safe path component in every file system and in an image tag. */
function safeName(text: string): string {
  return text.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+|[.-]+$/g, '') || 'repository'
}
