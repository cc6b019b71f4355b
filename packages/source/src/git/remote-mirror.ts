import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { R2eError, type RepoSpec, sha256Hex, userError } from '@r2e/spec'
import type { RemoteAddress } from './address.ts'
import { writeBareRepository } from './bare-repository.ts'
import { type AuthorizationHeader, type Environment, fetchingEnvironment } from './environment.ts'
import { withFileLock } from './file-lock.ts'
import { type Git, type GitOptions, readGit, runGit } from './git-process.ts'

export interface RemoteRequest {
  readonly address: RemoteAddress
  readonly spec: RepoSpec
  readonly cacheDirectory: string
  readonly environment: Environment
  readonly tokenFor: ((host: string) => Promise<string | undefined>) | undefined
}

const BRANCHES_AND_TAGS = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*']
const PULL_REQUESTS = ['+refs/pull/*/head:refs/pull/*/head', '+refs/merge-requests/*/head:refs/merge-requests/*/head']

/** Our full clone of a remote repository, brought up to date. Answers its folder. */
export async function openRemoteMirror(
  request: RemoteRequest,
  git: Omit<Git, 'directory'>,
  options: GitOptions,
): Promise<string> {
  const { address, cacheDirectory } = request
  const key = sha256Hex(address.fetchUrl).slice(0, 16)
  const directory = join(cacheDirectory, 'git', `${address.name}-${key}.git`)
  const environment = fetchingEnvironment(request.environment, await authorize(request))
  const fetching = { ...git, directory, environment }
  await mkdir(join(cacheDirectory, 'git'), { recursive: true })
  await withFileLock(`${directory}.lock`, options.signal, async () => {
    const { head, objectFormat } = await readRemoteHead(fetching, address, options)
    await writeBareRepository({ directory, objectFormat, head })
    await removeLeftovers(directory)
    options.onProgress?.(`fetching ${address.url}`)
    await fetchRefs(fetching, address, options)
  })
  return directory
}

/** A credential goes to the host it belongs to, and never over a connection that anybody can read. */
export async function authorize(
  request: Omit<RemoteRequest, 'cacheDirectory'>,
): Promise<AuthorizationHeader | undefined> {
  const { address, spec } = request
  const { origin, protocol } = new URL(address.url)
  const base = `${origin}/`
  if (address.credential !== undefined) return { base, header: basic(address.credential) }
  if (spec.access === 'public' || !address.fetchUrl.startsWith('http')) return undefined
  const token = await findToken(request)
  if (!token) return undefined
  if (protocol === 'https:' || isLoopback(address.url)) return { base, header: basic(`x-access-token:${token}`) }
  if (spec.auth_token_env == null) return undefined
  throw userError('insecure_url', `a token would be sent unencrypted to ${address.url}`, { fix: 'Use an https URL.' })
}

/** The token of the variable that the spec names, else the one for the host. */
async function findToken({
  address,
  spec,
  environment,
  tokenFor,
}: Omit<RemoteRequest, 'cacheDirectory'>): Promise<string | undefined> {
  if (spec.auth_token_env == null) return await tokenFor?.(new URL(address.url).hostname)
  const token = environment[spec.auth_token_env]
  if (token || spec.access === 'auto') return token
  throw userError('auth_token_missing', `the environment variable ${spec.auth_token_env} is not set`, {
    fix: `Set it to a token that may read ${address.url}.`,
  })
}

function basic(credential: string): string {
  return `Authorization: Basic ${Buffer.from(credential).toString('base64')}`
}

function isLoopback(url: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)
}

async function readRemoteHead(git: Git, address: RemoteAddress, options: GitOptions) {
  const outside = { ...git, directory: '/' }
  const listed = await runGit(outside, ['ls-remote', '--symref', '--', address.fetchUrl, 'HEAD'], options)
  if (listed.code !== 0) throw fetchFailure(address, listed.stderr)
  const text = listed.stdout.toString()
  const [, branch] = /^ref: (refs\/\S+)\tHEAD$/m.exec(text) ?? []
  const [, id] = /^([0-9a-f]+)\tHEAD$/m.exec(text) ?? []
  const head = branch === undefined ? (id ?? 'refs/heads/main') : `ref: ${branch}`
  return {
    head: head.startsWith('refs/') ? `ref: ${head}` : head,
    objectFormat: id?.length === 64 ? 'sha256' : 'sha1',
  } as const
}

async function fetchRefs(git: Git, address: RemoteAddress, options: GitOptions): Promise<void> {
  const command = [
    'fetch',
    '--progress',
    '--force',
    '--prune',
    '--no-tags',
    '--no-write-fetch-head',
    '--no-auto-maintenance',
  ]
  const from = ['--no-recurse-submodules', '--', address.fetchUrl]
  const fetched = await runGit(git, [...command, ...from, ...BRANCHES_AND_TAGS], options)
  if (fetched.code !== 0) throw fetchFailure(address, fetched.stderr)
  const pulls = await runGit(git, [...command, ...from, ...PULL_REQUESTS], options)
  if (pulls.code !== 0)
    options.onProgress?.(`${address.url} does not hand out its pull requests; going on without them`)
  await readGit(git, ['pack-refs', '--all'], options)
}

/** Parts of a download that was killed. */
async function removeLeftovers(directory: string): Promise<void> {
  const packs = join(directory, 'objects', 'pack')
  const names = await readdir(packs).catch(() => [])
  for (const name of names) if (name.startsWith('tmp_')) await rm(join(packs, name), { force: true })
}

export function fetchFailure(address: RemoteAddress, stderr: string): R2eError {
  const reason =
    stderr
      .trim()
      .split('\n')
      .findLast((line) => /^(fatal|error|remote|ssh):/i.test(line)) ?? stderr.trim()
  if (
    /not found|does not exist|not appear to be|could not read Username|Authentication failed|Permission denied|\b40[134]\b/i.test(
      stderr,
    )
  )
    return userError('repo_not_found', `cannot read ${address.url}: ${reason}`, {
      fix: 'Check the address; for a private repository name a token with auth_token_env, and for a folder write ./ before it.',
    })
  return new R2eError('fetch_failed', 'transient', `cannot fetch ${address.url}: ${reason}`, {
    fix: 'Check the network and run the same command again.',
  })
}
