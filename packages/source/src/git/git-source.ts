import { resolve } from 'node:path'
import { type RepoSource, userError } from '@r2e/spec'
import { type Address, parseAddress } from './address.ts'
import { type Environment, readingEnvironment } from './environment.ts'
import { readGitVersion } from './git-version.ts'
import { openLocalMirror } from './local-mirror.ts'
import { openRepository } from './open-repository.ts'
import { openRemoteMirror } from './remote-mirror.ts'
import { resolveRef } from './resolve-ref.ts'
import { resolveRemoteRef } from './resolve-remote-ref.ts'

export interface GitSourceOptions {
  /** The git program; default `git`, found on the path. */
  readonly git?: string | undefined
  /** Variables of the process: PATH, HOME, proxies, and the token that `auth_token_env` names. Default: a usual PATH only. */
  readonly environment?: Environment | undefined
  /** A token for a host, asked where a repository's spec names none; it goes to that host alone. Default: none. */
  readonly tokenFor?: ((host: string) => Promise<string | undefined>) | undefined
  /** A commit or diff whose changes take more bytes keeps its list of files and loses its patches; default 32 MiB. */
  readonly maxDiffBytes?: number | undefined
}

const MAX_DIFF_BYTES = 32 * 1024 * 1024

/**
 * Opens folders and every URL that git can fetch. Repositories are read through a bare repository of our own in the cache
 * folder, and the user's is never changed. Needs git 2.31.
 */
export function createGitSource(options: GitSourceOptions = {}): RepoSource {
  const { git: program = 'git', environment = {}, tokenFor, maxDiffBytes: limit = MAX_DIFF_BYTES } = options
  const reading = readingEnvironment(environment)
  let version: Promise<number> | undefined
  const gitProgram = async () => {
    version ??= readGitVersion(program, reading)
    return { program, version: await version, environment: reading }
  }
  return {
    name: 'git',
    accepts: (url) => parse(url) !== undefined,
    async resolve(spec, { cacheDirectory, signal, onProgress }) {
      const address = addressOf(spec.url)
      const git = await gitProgram()
      const { owner, name, url } = address
      if (address.kind === 'remote') {
        const request = { spec, address, environment, tokenFor }
        const commit = await resolveRemoteRef(request, git, { signal, onProgress })
        return commit === undefined ? undefined : { owner, name, url, commit }
      }
      const directory = await openLocalMirror(address, resolve(cacheDirectory), git)
      return { owner, name, url, commit: await resolveRef({ ...git, directory }, spec.ref, url) }
    },
    async open(spec, { cacheDirectory, signal, onProgress }) {
      const address = addressOf(spec.url)
      const git = await gitProgram()
      const cache = resolve(cacheDirectory)
      const request = { spec, cacheDirectory: cache, environment, tokenFor }
      const directory =
        address.kind === 'local'
          ? await openLocalMirror(address, cache, git)
          : await openRemoteMirror({ ...request, address }, git, { signal, onProgress })
      return openRepository({ ...git, directory }, address, { spec, limit })
    },
  }
}

function addressOf(url: string): Address {
  const address = parse(url)
  if (address !== undefined) return address
  throw userError('repo_not_found', `not a repository address: ${url}`, {
    fix: 'Give a path, an https or ssh URL, or owner/name for GitHub.',
  })
}

function parse(url: string): Address | undefined {
  try {
    return url.trim() === '' ? undefined : parseAddress(url)
  } catch {
    return undefined
  }
}
